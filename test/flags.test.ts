import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicError, anthropicReply, type Reply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type OptionName,
  type OptionSpec,
  optionSpecs,
} from '../packages/agent-cli/src/arguments/options.ts';
import { startCli } from '../packages/agent-cli/src/start/start-cli.ts';
import { type Evidence, type FrontEndName, frontEndNames, promptOf } from './front-ends.ts';
import { openStage, type Stage } from './stage.ts';

/** Front ends whose sessions the command line chooses. */
const own: readonly FrontEndName[] = ['print', 'stream', 'plain', 'terminal'];
const isOwn = (name: FrontEndName) => own.includes(name);
const serverNamed = (name: string) =>
  JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [toolServer] } } });

const toolServer = resolve('test/fixtures/mcp/judge-server.mjs');
const done = anthropicReply({ text: 'ALL-DONE' });
const calls = (...commands: readonly string[]): Reply =>
  anthropicReply({
    toolCalls: commands.map((command, index) => ({
      id: `c${index}`,
      name: 'Bash',
      input: { command },
    })),
  });

type Sign = (evidence: Evidence) => unknown;

interface Scenario {
  readonly title: string;
  readonly in?: readonly FrontEndName[];
  readonly env?: Readonly<Record<string, string>>;
  readonly until?: RegExp;
  /** Instead of `go`. */
  readonly prompt?: string;
  /** The flags; a sign is looked for only where its flag is given. */
  prepare(stage: Stage, name: FrontEndName): Promise<readonly string[]>;
  readonly replies: (stage: Stage) => readonly Reply[];
  /** For each flag, what shows that it is in force. */
  readonly signs: Partial<Record<OptionName, Sign>>;
}

const body = ({ requests }: Evidence, index = -1) => requests.at(index)?.body as Record<string, unknown>;
const text = (evidence: Evidence, index?: number) => JSON.stringify(body(evidence, index));
const system = (evidence: Evidence) => JSON.stringify(body(evidence, 0).system);
const toolNames = (evidence: Evidence) =>
  ((body(evidence, 0).tools ?? []) as { name: string }[]).map(({ name }) => name);

/** The results of the calls of the first answer. */
const results = ({ stage }: Evidence) => stage.results(2).map(({ text: said }) => said);

const scenarios: readonly Scenario[] = [
  {
    title: 'guards and additions',
    prepare: async (stage, name) => {
      await stage.settings({ permissions: { allow: ['Bash(user-tool *)'] }, language: 'de' });
      await stage.file('.robota/settings.json', '{"permissions":{"deny":["Bash(echo allowed*)"]}}');
      await stage.file('../more/note.txt', 'NOTE');
      await stage.file('../plug/.claude-plugin/plugin.json', '{"name":"plug","version":"1.0.0"}');
      await stage.file(
        '../plug/skills/sing/SKILL.md',
        '---\nname: sing\ndescription: PLUGIN-SKILL\n---\nSing.\n',
      );
      return [
        ...['--model', 'anthropic/claude-sonnet-4-6', '--fallback-model', 'claude-haiku-4-5'],
        ...['--api-key', 'key-of-the-flag', '--base-url', `${stage.server.url}/flag`],
        ...['--thinking', 'high', '--language', 'ja', '--max-turns', '4'],
        ...['--betas', 'beta-of-the-flag', '--task-budget', '54321'],
        ...['--append-system-prompt', 'APPENDED-TEXT', '--static-prompt'],
        ...['--setting-sources', 'user'],
        ...['--settings', '{"permissions":{"deny":["Bash(echo given*)"]},"retry":{"maxRetries":0}}'],
        ...['--managed-settings', '{"permissions":{"deny":["Bash(echo managed*)"]}}'],
        ...['--allow', 'Bash(echo *)', '--ask', 'Bash(echo asked*)', '--deny', 'Bash(echo denied*)'],
        ...['--add-dir', join(stage.cwd, '../more'), '--plugin-dir', join(stage.cwd, '../plug')],
        ...['--agents', '{"judge":{"description":"AGENT-TEXT","prompt":"You are JUDGE-PROMPT."}}'],
        ...['--agent', 'judge', '--tools', 'Bash,Read,Glob,Grep,Skill,Agent', '--exclude-tools', 'Grep'],
        ...['--debug-file', join(stage.cwd, 'debug.log')],
        ...(isOwn(name) ? ['--debug'] : []),
      ];
    },
    replies: (stage) => [
      anthropicError(529, 'busy'),
      calls(
        'echo allowed',
        'echo denied',
        'echo given',
        'echo managed',
        `cat ${join(stage.cwd, '../more/note.txt')}`,
      ),
      calls('echo asked'),
      done,
    ],
    signs: {
      model: (e) => body(e, 0).model === 'claude-sonnet-4-6',
      'fallback-model': (e) => body(e, 1).model === 'claude-haiku-4-5',
      'api-key': ({ requests }) => requests[0]?.headers['x-api-key'] === 'key-of-the-flag',
      'base-url': ({ requests }) => requests[0]?.path.startsWith('/flag'),
      thinking: (e) => body(e, 0).thinking !== undefined,
      language: (e) => system(e).includes('Japanese'),
      betas: ({ requests }) => requests[0]?.headers['anthropic-beta']?.includes('beta-of-the-flag'),
      'task-budget': (e) => system(e).includes('54321'),
      'append-system-prompt': (e) => system(e).includes('APPENDED-TEXT'),
      'static-prompt': (e) => !system(e).includes(e.stage.cwd) && text(e, 0).includes(e.stage.cwd),
      'setting-sources': (e) => results(e)[0]?.includes('allowed'),
      allow: (e) => results(e)[0]?.trim() === 'allowed',
      ask: (e) => /ask (?:rule )?Bash\(echo asked\*\)/.test(`${e.said} ${text(e)}`),
      deny: (e) => results(e)[1]?.includes('Bash(echo denied*)'),
      settings: (e) => results(e)[2]?.includes('Bash(echo given*)'),
      'managed-settings': (e) => results(e)[3]?.includes('Bash(echo managed*)'),
      'add-dir': (e) => results(e)[4]?.includes('NOTE'),
      'plugin-dir': (e) => text(e, 0).includes('PLUGIN-SKILL'),
      agents: (e) => text(e, 0).includes('AGENT-TEXT') || text(e, 0).includes('JUDGE-PROMPT'),
      agent: (e) => system(e).includes('JUDGE-PROMPT'),
      tools: (e) => toolNames(e).includes('Bash') && !toolNames(e).includes('Write'),
      'exclude-tools': (e) => !toolNames(e).includes('Grep'),
      debug: ({ said }) => said.includes('log.jsonl'),
      'debug-file': ({ stage }) => existsSync(join(stage.cwd, 'debug.log')),
    },
  },
  {
    title: 'replacements',
    prepare: async (stage, name) => {
      await stage.file('.robota/settings.json', '{"permissions":{"allow":["Bash(echo project*)"]}}');
      await stage.file('AGENTS.md', 'CONTEXT-TEXT');
      await stage.file('.mcp.json', serverNamed('theirserver'));
      await stage.file('prompt.md', 'PROMPT-OF-FILE');
      await stage.file('more.md', 'APPENDED-OF-FILE');
      return [
        ...['--model', 'claude-sonnet-4-6', '--effort', 'max', '--permission-mode', 'acceptEdits'],
        ...['--system-prompt-file', join(stage.cwd, 'prompt.md')],
        ...['--append-system-prompt-file', join(stage.cwd, 'more.md')],
        ...['--no-context-files', '--trust-project', '--no-session'],
        ...['--mcp-config', serverNamed('ourserver'), '--strict-mcp-config'],
        ...(isOwn(name) ? ['--no-animation', '--verbose'] : []),
      ];
    },
    replies: () => [
      anthropicReply({
        toolCalls: [
          { id: 'c0', name: 'Bash', input: { command: 'echo project' } },
          { id: 'c1', name: 'Write', input: { file_path: 'written.txt', content: 'x' } },
        ],
      }),
      done,
    ],
    signs: {
      effort: (e) => JSON.stringify(body(e, 0).output_config).includes('max'),
      'permission-mode': ({ stage }) => existsSync(join(stage.cwd, 'written.txt')),
      'system-prompt-file': (e) => system(e).includes('PROMPT-OF-FILE'),
      'append-system-prompt-file': (e) => system(e).includes('APPENDED-OF-FILE'),
      'no-context-files': (e) => !text(e, 0).includes('CONTEXT-TEXT'),
      'trust-project': ({ stage }) => stage.results(1)[0]?.text.trim() === 'project',
      'no-session': ({ sessions }) => sessions.length === 0,
      'mcp-config': (e) => text(e).includes('ourserver'),
      'strict-mcp-config': (e) => !text(e).includes('theirserver'),
      // Preferences of a screen, which others have by nature.
      'no-animation': ({ said }) => said.includes('ALL-DONE'),
      verbose: ({ said }) => said.includes('project'),
    },
  },
  {
    title: 'no questions',
    in: ['print', 'stream', 'acp', 'mcp'],
    prepare: async (_, name) => [
      ...['--model', 'claude-sonnet-4-6', '--permission-mode', 'dontAsk'],
      ...(name === 'stream' ? ['--permission-prompt-tool', 'stdio'] : []),
    ],
    replies: () => [calls('touch asked.txt'), done],
    signs: {
      'permission-mode': ({ stage, said }) =>
        !existsSync(join(stage.cwd, 'asked.txt')) && !/can_use_tool|allow_once/.test(said),
    },
  },
  {
    title: 'a sandbox without permissions',
    prepare: async (stage) => {
      const at = (name: string) => join(stage.cwd, '..', `${basename(stage.cwd)}-${name}`);
      for (const name of ['open', 'shut']) await mkdir(at(name), { recursive: true });
      await stage.settings({ sandbox: { hidden: [at('open'), at('shut')] } });
      return [
        ...['--model', 'claude-sonnet-4-6', '--system-prompt', 'OWN-PROMPT', '--max-thinking-tokens', '9000'],
        ...['--dangerously-skip-permissions', '--sandbox', 'required'],
        ...['--sandbox-write', at('open'), '--sandbox-read', at('open'), '--sandbox-host', 'host.example'],
      ];
    },
    replies: (stage) => {
      const at = (name: string) => `../${basename(stage.cwd)}-${name}`;
      return [
        calls(
          'echo free > free.txt',
          `echo in > ${at('open')}/in.txt; cat ${at('open')}/in.txt`,
          `echo in > ${at('shut')}/in.txt; cat ${at('shut')}/in.txt`,
          'env | grep -i _proxy=',
        ),
        done,
      ];
    },
    signs: {
      'system-prompt': (e) => system(e).includes('OWN-PROMPT'),
      'max-thinking-tokens': (e) => body(e, 0).thinking !== undefined,
      'dangerously-skip-permissions': ({ stage }) => existsSync(join(stage.cwd, 'free.txt')),
      sandbox: ({ stage }) => !/^in/.test(stage.results(1)[2]?.text ?? 'in'),
      'sandbox-write': ({ stage }) => existsSync(join(`${stage.cwd}-open`, 'in.txt')),
      'sandbox-read': ({ stage }) => /^in/.test(stage.results(1)[1]?.text ?? ''),
      'sandbox-host': ({ stage }) => /proxy=http/i.test(stage.results(1)[3]?.text ?? ''),
    },
  },
  {
    title: 'no extensions, and a limit of money',
    until: /ALL-DONE|has cost/,
    prepare: async (stage) => {
      await skillOf(stage);
      return ['--model', 'claude-sonnet-4-6', '--no-extensions', '--max-cost', '0.00001'];
    },
    replies: () => [anthropicReply({ toolCalls: [{ id: 'c0', name: 'Nothing', input: {} }] }), done],
    signs: {
      'no-extensions': (e) => toolNames(e).length === 0 && !text(e, 0).includes('USER-SKILL'),
      'max-cost': ({ requests }) => requests.length === 1,
    },
  },
  {
    title: 'no built-in tools, and a limit of turns',
    until: /ALL-DONE|max-turns/,
    prepare: async (stage) => {
      await skillOf(stage);
      return ['--model', 'claude-sonnet-4-6', '--no-builtin-tools', '--max-turns', '1'];
    },
    replies: () => [anthropicReply({ toolCalls: [{ id: 'c0', name: 'Nothing', input: {} }] }), done],
    signs: {
      'no-builtin-tools': (e) => !toolNames(e).includes('Bash') && text(e, 0).includes('USER-SKILL'),
      'max-turns': ({ requests }) => requests.length === 1,
    },
  },
  {
    title: 'no tools, and no patience',
    until: /The limit resets|rate.limit/i,
    prepare: async (stage) => {
      await skillOf(stage);
      await stage.settings({ retry: { maxRetries: 0 } });
      return ['--model', 'claude-sonnet-4-6', '--no-tools', '--wait-for-limit', 'never'];
    },
    replies: () => [anthropicError(429, 'limited', { headers: { 'retry-after': '7200' } })],
    signs: {
      'no-tools': (e) => toolNames(e).length === 0,
      'wait-for-limit': ({ said }) => /resets/.test(said) && !/waiting/i.test(said),
    },
  },
  {
    title: 'plain HTTP',
    until: /robota-test\.invalid|insecure/,
    prepare: async (stage) => {
      await stage.settings({ retry: { maxRetries: 0 } });
      const address = ['--base-url', 'http://robota-test.invalid:1', '--allow-insecure-http'];
      return ['--model', 'claude-sonnet-4-6', '--api-key', 'key', ...address];
    },
    replies: () => [],
    signs: {
      'allow-insecure-http': ({ said }) => /robota-test\.invalid/.test(said) && !/insecure/.test(said),
    },
  },
  {
    title: 'a later switch',
    prompt: '/mode bypassPermissions',
    until: /bypass/,
    in: [...own, 'acp'],
    prepare: async () => ['--model', 'claude-sonnet-4-6', '--allow-dangerously-skip-permissions'],
    replies: () => [],
    signs: {
      'allow-dangerously-skip-permissions': ({ said }) => /bypass/.test(said) && !/not available/.test(said),
    },
  },
  {
    title: 'a new session',
    in: [...own, 'mcp'],
    prepare: async (stage, name) => {
      await stage.file('deep/note.txt', '');
      return [
        ...['--model', 'claude-sonnet-4-6', '--cwd', join(stage.cwd, 'deep')],
        ...(isOwn(name) ? ['--session-id', sessionId, '--name', 'A fine name'] : []),
        ...(isOwn(name) && name !== 'stream' ? ['--record', join(stage.cwd, 'tape.jsonl')] : []),
      ];
    },
    replies: () => [done],
    signs: {
      cwd: (e) => system(e).includes(join(e.stage.cwd, 'deep')),
      'session-id': ({ sessions }) => sessions.length === 1 && sessions[0]?.includes(sessionId),
      name: ({ stage, sessions: [session = ''] }) =>
        readFileSync(join(stage.home, '.robota/sessions', session), 'utf8').includes('A fine name'),
      record: ({ stage }) => existsSync(join(stage.cwd, 'tape.jsonl')),
    },
  },
  {
    title: 'the last session',
    in: own,
    prepare: async (stage) => {
      await talk(stage);
      return ['--model', 'claude-sonnet-4-6', '--continue'];
    },
    replies: () => [done],
    signs: { continue: (e) => text(e).includes('SECOND-ANSWER') && e.sessions.length === 1 },
  },
  {
    title: 'a copy of a session, from a message on',
    in: own,
    prepare: async (stage) => {
      await talk(stage);
      const lines = await stage.sessionLines('session.jsonl');
      const first = lines.find((line) => JSON.stringify(line).includes('FIRST-ANSWER'));
      const at = ['--resume-session-at', String(first?.id)];
      return ['--model', 'claude-sonnet-4-6', '--resume', sessionId, '--fork', ...at];
    },
    replies: () => [done],
    signs: {
      resume: (e) => text(e).includes('FIRST-ANSWER'),
      'resume-session-at': (e) => !text(e).includes('SECOND-ANSWER'),
      fork: ({ sessions }) => sessions.length === 2,
    },
  },
  {
    title: 'a file of a session',
    in: own,
    prepare: async (stage) => ['--model', 'claude-sonnet-4-6', '--session', join(stage.cwd, 'kept.jsonl')],
    replies: () => [done],
    signs: { session: ({ stage }) => existsSync(join(stage.cwd, 'kept.jsonl')) },
  },
  {
    title: 'a worktree',
    in: own,
    prepare: async (stage) => {
      const git = (...words: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
          cwd: stage.cwd,
          stdio: 'ignore',
        });
      git('init');
      await stage.file('a.txt', 'a');
      git('add', '.');
      git('commit', '-m', 'a');
      return ['--model', 'claude-sonnet-4-6', '--worktree', 'apart'];
    },
    replies: () => [done],
    signs: { worktree: (e) => /worktrees?[^"]*apart/.test(text(e, 0)) },
  },
  {
    title: 'a database that is not there',
    in: own,
    until: /database|Postgres/i,
    prepare: async () => ['--model', 'claude-sonnet-4-6', '--database', 'postgres://127.0.0.1:1/none'],
    replies: () => [done],
    signs: { database: ({ said, requests }) => /127\.0\.0\.1/.test(said) && requests.length === 0 },
  },
  {
    title: 'output for programs',
    in: ['print'],
    prepare: async () => [
      ...['--model', 'claude-sonnet-4-6', '--output-format', 'stream-json', '--verbose'],
      ...['--include-partial-messages', '--json-schema', '{"type":"object"}'],
    ],
    replies: () => [anthropicReply({ text: '{"ok":true}' })],
    signs: {
      'output-format': ({ said }) => said.startsWith('{'),
      'include-partial-messages': ({ said }) => said.includes('"stream_event"'),
      'json-schema': ({ said }) => said.includes('"structured_output":{"ok":true}'),
    },
  },
  {
    title: 'a goal',
    in: ['print'],
    prepare: async () => ['--model', 'claude-sonnet-4-6', '--goal', 'GOAL-TEXT', '--check', 'exit 1'],
    replies: () => [done, done, done, done, done, done, done, done, done, done],
    signs: {
      goal: (e) => text(e, 0).includes('GOAL-TEXT'),
      check: ({ said }) => /exit 1/.test(said),
    },
  },
  {
    title: 'a tool that answers for the user',
    in: ['print', 'stream'],
    prepare: async () => [
      ...['--model', 'claude-sonnet-4-6', '--mcp-config', serverNamed('judge')],
      ...['--permission-prompt-tool', 'mcp__judge__yes'],
    ],
    replies: () => [calls('touch touched.txt'), done],
    signs: { 'permission-prompt-tool': ({ stage }) => existsSync(join(stage.cwd, 'touched.txt')) },
  },
  {
    title: 'a recording',
    in: ['print'],
    prepare: async (stage) => {
      const tape = join(stage.cwd, 'tape.jsonl');
      stage.server.reply(anthropicReply({ text: 'RECORDED' }));
      await stage.robota(['-p', 'go', '--model', 'claude-sonnet-4-6', '--record', tape]);
      return ['--replay', tape];
    },
    replies: () => [],
    signs: { replay: ({ said, requests }) => said.includes('RECORDED') && requests.length === 1 },
  },
  {
    title: 'a program',
    in: ['stream'],
    prepare: async (stage) => {
      await stage.settings({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      });
      return [
        ...['--permission-prompt-tool', 'stdio', '--permission-prompts', 'host', '--await-initialize'],
        ...['--include-hook-events', '--include-partial-messages', '--replay-user-messages'],
        ...['--thinking-display', 'omitted', '--output-format', 'stream-json', '--json-schema', '{}'],
      ];
    },
    replies: () => [
      anthropicReply({
        thinking: { text: 'SECRET-THOUGHT', signature: 'signed' },
        toolCalls: [{ id: 'c0', name: 'Bash', input: { command: 'touch x' } }],
      }),
      anthropicReply({ text: '{"ok":true}' }),
    ],
    signs: {
      'permission-prompt-tool': ({ said }) => said.includes('"can_use_tool"'),
      'permission-prompts': ({ said }) => said.includes('"can_use_tool"'),
      'await-initialize': ({ said }) => said.includes('"init"'),
      'include-hook-events': ({ said }) => said.includes('UserPromptSubmit'),
      'include-partial-messages': ({ said }) => said.includes('"stream_event"'),
      'replay-user-messages': ({ said }) => /"isReplay":true/.test(said),
      'thinking-display': ({ said }) => !said.includes('SECRET-THOUGHT'),
      'output-format': ({ said }) => said.includes('"init"'),
      'json-schema': ({ said }) => said.includes('"structured_output"'),
    },
  },
];

const sessionId = '123e4567-e89b-42d3-a456-426614174000';

async function skillOf(stage: Stage): Promise<void> {
  const folder = join(stage.home, '.robota/skills/hum');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: hum\ndescription: USER-SKILL\n---\nHum.\n');
}

/** A stored session of two prompts. */
async function talk(stage: Stage): Promise<void> {
  stage.server.reply(anthropicReply({ text: 'FIRST-ANSWER' }), anthropicReply({ text: 'SECOND-ANSWER' }));
  const model = ['--model', 'claude-sonnet-4-6'];
  await stage.robota(['-p', 'one', '--session-id', sessionId, ...model]);
  await stage.robota(['-p', 'two', '-c', ...model]);
}

/** The front ends in which a flag was seen in force. */
const seen = new Map<string, Set<string>>();
const noteSeen = (flag: string, name: string) => seen.set(flag, (seen.get(flag) ?? new Set()).add(name));
const stages: Stage[] = [];
afterAll(async () => {
  for (const stage of stages) await stage.server.close();
});

/** Runs a scenario in a front end; returns the flags that were given and not seen in force. */
async function withoutEffect(scenario: Scenario, name: FrontEndName) {
  const stage = await openStage();
  stages.push(stage);
  const args = await scenario.prepare(stage, name);
  stage.server.reply(...scenario.replies(stage));
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  const { prompt = 'go', until = /ALL-DONE/ } = scenario;
  const evidence = await promptOf(name, stage, { prompt, args, env, until });
  const given = Object.entries(scenario.signs).filter(([flag]) => args.includes(`--${flag}`));
  const missing = given.filter(([flag, sign]) => {
    if (!isSeen(sign, evidence)) return true;
    noteSeen(flag, name);
    return false;
  });
  const { said, requests } = evidence;
  return {
    missing: missing.map(([flag]) => flag),
    told: [said, ...requests.map((sent) => sent.text)].join('\n'),
  };
}

/** Evidence that is not there proves nothing. */
function isSeen(sign: Sign, evidence: Evidence): boolean {
  try {
    return Boolean(sign(evidence));
  } catch {
    return false;
  }
}

describe.concurrent('flags in force', () => {
  const runs = scenarios.flatMap((scenario) =>
    (scenario.in ?? frontEndNames).map((name) => [scenario.title, name, scenario] as const),
  );
  it.each(runs)('%s, in %s', async (_, name, scenario) => {
    const { missing, told } = await withoutEffect(scenario, name);
    expect(missing, told).toEqual([]);
  });
});

describe('every other flag', () => {
  const wordsOf = ({ name, value, choices }: OptionSpec) =>
    value === undefined ? [`--${name}`] : [`--${name}`, choices?.[0] ?? 'x'];
  const starts: Readonly<Record<FrontEndName, readonly string[]>> = {
    print: ['-p'],
    stream: ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    plain: ['--plain'],
    terminal: [],
    acp: ['acp'],
    mcp: ['mcp', 'serve'],
  };
  /** The flags that choose a front end, or that are answered without a session. */
  const byThemselves: readonly string[] = ['print', 'plain', 'input-format', 'help', 'version', 'reset'];
  const chooses = (flag: string, name: FrontEndName) =>
    (isOwn(name) && byThemselves.includes(flag)) ||
    flag === 'help' ||
    // In a terminal, too, a recording is played as with -p.
    (flag === 'replay' && isOwn(name) && name !== 'stream');

  beforeAll(async () => {
    const home = await temporaryDirectory('robota-home');
    for (const variable of ['HOME', 'USERPROFILE', 'ROBOTA_HOME']) vi.stubEnv(variable, home);
    for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);
  });
  afterAll(() => void vi.unstubAllEnvs());

  it('is refused with its name, in each front end', async () => {
    const accepted: string[] = [];
    for (const spec of optionSpecs)
      for (const name of frontEndNames) {
        if (seen.get(spec.name)?.has(name)) continue;
        if (chooses(spec.name, name)) continue;
        const refusal = await refusalOf([...starts[name], ...wordsOf(spec)], name);
        if (!refusal.includes(`--${spec.name}`)) accepted.push(`--${spec.name} in ${name}: ${refusal}`);
      }
    expect(accepted).toEqual([]);
  });

  it('is refused by robota web, which starts sessions as their settings say', async () => {
    const accepted: string[] = [];
    for (const spec of optionSpecs) {
      if (spec.name === 'help') continue;
      const refusal = await refusalOf(['web', ...wordsOf(spec)], 'print');
      if (!/Unknown option/.test(refusal)) accepted.push(`--${spec.name}: ${refusal}`);
    }
    expect(accepted).toEqual([]);
  });
});

/** A front end that has not refused by then has started. */
const refusalMs = 5_000;

/** Runs the command in this process until it refuses. */
async function refusalOf(words: readonly string[], name: FrontEndName): Promise<string> {
  const hasScreen = name === 'plain' || name === 'terminal';
  const streams = [process.stdin, process.stdout];
  const before = streams.map(({ isTTY }) => isTTY);
  for (const stream of streams) stream.isTTY = hasScreen;
  let said = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((chunk, ...rest) => {
    said += String(chunk);
    const callback = rest.at(-1);
    if (typeof callback === 'function') callback();
    return true;
  });
  try {
    const code = await Promise.race([startCli(words), sleep(refusalMs, 'none: it has started')]);
    return code === 2 ? said : `exit code ${code}: ${said}`;
  } finally {
    write.mockRestore();
    streams.forEach((stream, index) => {
      stream.isTTY = before[index] ?? false;
    });
  }
}
