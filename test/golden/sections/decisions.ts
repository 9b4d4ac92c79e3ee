import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Access,
  decide,
  type PermissionDecision,
  type PermissionMode,
  type PermissionPolicy,
  parseRules,
} from '@robota-sdk/agent-core';
import { describeRisk } from '@robota-sdk/agent-sdk/front-end';
import { layOutPathCase, loadPathCases } from '@robota-sdk/agent-testing';
import { shellPositions } from '../../../scripts/fuzz/shell-positions.mjs';
import type { GoldenTools, Section } from '../tools.ts';

/**
 * Decisions about commands and calls under several modes and rules, one per line: verdict, subject, reason, offered rules.
 * They know no language.
 */
export const section: Section = {
  name: 'decisions',
  async record(language, tools): Promise<Readonly<Record<string, string>>> {
    if (language !== 'en') return {};
    const commands = (await readFile(join(tools.fixtures, 'commands-and-calls/commands.txt'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# '));
    const calls = JSON.parse(
      await readFile(join(tools.fixtures, 'commands-and-calls/calls.json'), 'utf8'),
    ) as readonly Call[];
    const files: Record<string, string> = {};
    for (const [name, policy] of Object.entries(policies)) {
      files[`commands-${name}.txt`] = await judged(policy, commands.map(callOf));
      files[`calls-${name}.txt`] = await judged(policy, calls.map(withReal));
    }
    for (const name of ['bash-permissions', 'bash-attacks'])
      files[`${name}.txt`] = await cases(
        join(tools.fixtures, `../../../packages/agent-core/fixtures/${name}.json`),
      );
    const quoted = shellPositions.map((position) => position.replaceAll('@Q@', () => "'$(boom)'"));
    for (const name of ['default', 'wide-rules', 'bypass-strict'])
      files[`positions-${name}.txt`] = await judged(policies[name] ?? {}, quoted.map(callOf));
    files['paths.txt'] = await pathCases(tools);
    return files;
  },
};

interface Call {
  readonly tool: string;
  readonly access: readonly Access[];
}

interface PolicyTexts {
  readonly mode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additional?: readonly string[];
}

const narrow: PolicyTexts = {
  allow: [
    'Bash(npm test *)',
    'Bash(npm run test:*)',
    'Bash(git commit *)',
    'Bash(git push)',
    'Edit(/src/**)',
    'WebFetch(domain:docs.example.com)',
    'Skill(format)',
    'mcp__files__read_file',
  ],
  ask: ['Bash(git push *)', 'Bash(npm publish *)', 'Read(package.json)', 'Agent(reviewer)', 'mcp__tickets'],
  deny: [
    'Bash(rm *)',
    'Bash(curl *)',
    'Read(.env)',
    'Read(secrets/**)',
    'Edit(/package.json)',
    'Skill(deploy)',
  ],
};

const policies: Readonly<Record<string, PolicyTexts>> = {
  plan: { mode: 'plan' },
  default: {},
  'accept-edits': { mode: 'acceptEdits' },
  bypass: { mode: 'bypassPermissions' },
  'narrow-rules': narrow,
  'plan-narrow-rules': { mode: 'plan', ...narrow },
  'bypass-strict': { mode: 'bypassPermissions', deny: narrow.deny ?? [], ask: narrow.ask ?? [] },
  'wide-rules': {
    allow: ['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'Agent', 'Skill', 'mcp__files__*', 'my_tool'],
    deny: ['Bash(rm -rf *)', 'Read(.env)'],
    additional: ['/lib2'],
  },
};

/** Rules may be wrong on purpose. */
function policyOf({ mode = 'default', additional = [], ...texts }: PolicyTexts): PermissionPolicy {
  const { rules } = parseRules(texts, { source: 'rules' });
  return { mode, rules, workspace: { cwd: '/ws', additional, home: '/home/u' } };
}

const callOf = (command: string): Call => ({ tool: 'Bash', access: [{ kind: 'run', command, cwd: '/ws' }] });

/** Paths without links are real. */
function withReal({ tool, access }: Call): Call {
  return {
    tool,
    access: access.map((one) => ('path' in one ? { ...one, real: one.real ?? one.path } : one)),
  };
}

async function judged(texts: PolicyTexts, calls: readonly Call[]): Promise<string> {
  const policy = policyOf(texts);
  const lines = [`# ${JSON.stringify({ mode: policy.mode, ...texts })}`];
  for (const call of calls) lines.push(lineOf(subjectOf(call), await decide(policy, call)));
  return `${lines.join('\n')}\n`;
}

/** The cases that other tests judge only by their verdict. */
async function cases(file: string): Promise<string> {
  const all = JSON.parse(await readFile(file, 'utf8')) as readonly {
    readonly mode?: PermissionMode;
    readonly rules: Pick<PolicyTexts, 'allow' | 'ask' | 'deny'>;
    readonly command: string;
  }[];
  const lines: string[] = [];
  let before = '';
  for (const { mode = 'default', rules, command } of all) {
    const heading = `# ${JSON.stringify({ mode, ...rules })}`;
    if (heading !== before) lines.push(heading);
    before = heading;
    lines.push(lineOf(JSON.stringify(command), await decide(policyOf({ mode, ...rules }), callOf(command))));
  }
  return `${lines.join('\n')}\n`;
}

/** Paths with their files on the disk, judged by the program in every mode. */
async function pathCases(tools: GoldenTools): Promise<string> {
  const laid = loadPathCases().map(layOutPathCase);
  try {
    const modes = ['plan', 'default', 'acceptEdits', 'bypassPermissions'];
    const inputs = laid.flatMap(({ id, rules, tool, path, cwd, workspace }) =>
      modes.map((mode) => ({
        id: `${id} ${mode} ${tool}`,
        rules,
        mode,
        tool,
        path,
        cwd,
        home: workspace.home,
      })),
    );
    const home = await tools.home();
    const { stdout } = await tools.run(['permissions', 'check'], {
      home,
      input: inputs.map((input) => JSON.stringify(input)).join('\n'),
    });
    return stdout
      .replaceAll(realpathSync(tmpdir()), '')
      .replace(/\/robota-paths-\w+/g, '<case>')
      .replaceAll('a/'.repeat(1_000), 'a/…/');
  } finally {
    for (const one of laid) one.dispose();
  }
}

function subjectOf({ tool, access }: Call): string {
  const [first] = access;
  if (tool === 'Bash' && access.length === 1 && first?.kind === 'run' && first.cwd === '/ws')
    return JSON.stringify(first.command);
  return `${tool} ${JSON.stringify(access)}`;
}

function lineOf(
  subject: string,
  { verdict, reason, rule, brief, wouldAllow, dangers, cautions, isProtected, mode }: PermissionDecision,
): string {
  const listed = (name: string, values: readonly string[] | undefined) =>
    values === undefined ? '' : ` · ${name}: ${values.join(' ¦ ')}`;
  const parts = [
    rule === undefined ? '' : ` · rule: ${rule.text}`,
    mode === undefined ? '' : ` · mode: ${mode}`,
    brief === undefined ? '' : ` · brief: ${brief}`,
    isProtected ? ' · protected' : '',
    listed('dangers', dangers?.map(describeRisk)),
    listed('cautions', cautions?.map(describeRisk)),
    listed('offers', wouldAllow),
  ];
  return `${verdict.padEnd(5)} ${subject} · ${reason}${parts.join('')}`.replaceAll('\n', '⏎');
}
