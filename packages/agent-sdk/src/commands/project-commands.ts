import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentHintOf, type HelpRow, helpRows, isOn, subcommandsOn } from '@robota-sdk/agent-config';
import {
  anyObject,
  type CommandFacts,
  object,
  parseJson,
  readRegularFile,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { detectProject } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { commandSources } from './command-sources.ts';

/** Help, and instructions for the project. */
export const projectCommands: CommandActions = {
  help: {
    complete: async (prefix, { session }) =>
      session
        .listCommands()
        .map(({ name }) => name)
        .filter((name) => name.startsWith(prefix)),
    run: async (args, { session }) => {
      const name = args.replace(/^\//, '');
      if (name === '') return { kind: 'notice', text: overview(session) };
      const command = session.findCommand(name) ?? session.commands.get(name);
      if (command && session.commands.values().includes(command))
        return { kind: 'notice', text: describeCommand(command) };
      const [near] = session.nearCommands(name);
      const hint = near === undefined ? ' /help lists them.' : ` Did you mean /${near}?`;
      return { kind: 'error', text: `Unknown command /${name}.${hint}` };
    },
  },
  init: {
    run: async (args, { session, ui, signal }) => {
      if (args !== '' && args !== 'update') return { kind: 'error', text: 'Use /init, or /init update.' };
      const { cwd } = session.kept;
      const isThere = existsSync(join(cwd, target));
      if (isThere && args === '') {
        const refusal = await mayUpdate(ui, signal);
        if (refusal !== undefined) return refusal;
      }
      const facts = await factsOf(cwd);
      if (session.getSession().model.api === 'offline') return offlineOutcome(facts, isThere);
      const found = sources.filter((name) => existsSync(join(cwd, name)));
      const { expandMentions } = await import('../input/expand-mentions.ts');
      const mentioned = found.map((name) => `@file:${name}`).join(' ');
      const { attachments } = await expandMentions(session, mentioned, { by: 'user', signal });
      return {
        kind: 'prompt',
        text: requestOf(facts, isThere),
        ...(attachments.length > 0 ? { attachments } : {}),
      };
    },
  },
};

const inputHint =
  'Besides commands: !COMMAND runs it in the shell, @PATH gives a file to the model, @agent:NAME selects an agent.';

function overview(session: InteractiveSession): string {
  const syntax = new Map(session.listCommands().map((command) => [command.name, syntaxOf(command)]));
  const groups = commandSources(session).map((source) => {
    const lines = helpRows(
      source.getCommands().map(({ name, description }) => [syntax.get(name) ?? name, description]),
    );
    return source.name === 'built-in' ? lines : `From ${source.name}:\n${lines}`;
  });
  const clashes = session.commands
    .clashes()
    .map(({ name, kept, hidden }) => `/${name} is that of ${kept}; ${hidden.join(', ')} has one, too.`);
  return [...groups, ...(clashes.length > 0 ? [clashes.join('\n')] : []), inputHint].join('\n\n');
}

function syntaxOf(command: CommandFacts): string {
  const { name } = command;
  const argumentHint = argumentHintOf(command);
  return argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
}

/** The help of one command: its syntax, description, aliases and subcommands. */
export function describeCommand(command: CommandFacts): string {
  const { description, aliases = [] } = command;
  const rows = subcommandsOn(command, 'prompt').map(
    ({ name, argumentHint, description: does }): HelpRow => [
      [name, argumentHint].filter(Boolean).join(' '),
      does,
    ],
  );
  return [
    syntaxOf(command),
    isOn(command, 'terminal') ? `${description} (terminal UI only)` : description,
    ...(aliases.length > 0 ? [`Also: ${aliases.map((alias) => `/${alias}`).join(', ')}`] : []),
    ...(rows.length > 0 ? [helpRows(rows, '  ')] : []),
  ].join('\n');
}

const target = 'AGENTS.md';

/** Files that may already contain instructions. */
const sources = [
  'CLAUDE.md',
  'README.md',
  'CONTRIBUTING.md',
  '.cursorrules',
  '.github/copilot-instructions.md',
];

async function mayUpdate(ui: UserInterface, signal: AbortSignal) {
  const title = `${target} already exists. Update it?`;
  const answer = await ui.ask({ kind: 'confirm', title }, signal);
  if (answer.kind === 'confirmed' && answer.yes) return undefined;
  if (answer.kind !== 'unavailable') return { kind: 'notice', text: `${target} was not changed.` } as const;
  const advice = 'Update it with /init update.';
  return { kind: 'error', text: `${target} already exists and was not changed. ${advice}` } as const;
}

interface Facts {
  readonly title: string;
  /** Lines of Markdown. */
  readonly lines: readonly string[];
}

/** Facts about the project that its files show without being read. */
async function factsOf(cwd: string): Promise<Facts> {
  const { name, type, language, packageManager } = await detectProject(cwd);
  const names = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const folders = names.filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name));
  const kind = [language === 'unknown' ? undefined : language, type === 'unknown' ? undefined : type];
  const known = [...new Set(kind.filter((each) => each !== undefined))].join(', ');
  const scripts = type === 'node' ? await scriptsOf(join(cwd, 'package.json')) : [];
  const manager = packageManager ?? 'npm';
  return {
    title: name ?? 'this project',
    lines: [
      ...(known === '' ? [] : [`- Project: ${known}${packageManager ? `, with ${packageManager}` : ''}`]),
      ...scripts.map((script) => `- \`${manager} run ${script}\``),
      ...(folders.length === 0 ? [] : [`- Folders: ${folders.map((each) => each.name).join(', ')}`]),
    ],
  };
}

async function scriptsOf(manifest: string): Promise<readonly string[]> {
  const written = await readRegularFile(manifest).catch(() => '');
  const { scripts } = scriptsShape.parse(parseJson(written.toString())) ?? {};
  return Object.keys(scripts ?? {}).slice(0, 20);
}

const scriptsShape = object({ scripts: anyObject });

/** The offline model cannot study a project, but can write down known facts. */
function offlineOutcome({ title, lines }: Facts, isThere: boolean) {
  if (isThere)
    return {
      kind: 'error',
      text: `The offline model cannot improve ${target}; another model can.`,
    } as const;
  const text = [`# Working on ${title}`, '', ...lines].join('\n').replaceAll('"', "'");
  return { kind: 'prompt', text: `create ${target} with the text "${text}"` } as const;
}

function requestOf({ title, lines }: Facts, isThere: boolean): string {
  const task = isThere
    ? `Bring ${target} of ${title} up to date: keep what is right, correct what is not, add what is missing.`
    : `Write ${target} for ${title}: what a coding agent must know before it works here.`;
  return [
    task,
    'Look at the project first: manifests, build and test configuration, the layout of the sources, a few typical files.',
    'Say how to build, run, lint and test, and how to run a single test; how the code is organised; which conventions hold that are not obvious; what must not be done. Be brief and concrete, at most about 80 lines. Leave out what any developer knows, and write nothing that you have not seen.',
    ...(lines.length === 0 ? [] : [`Already known:\n${lines.join('\n')}`]),
  ].join('\n\n');
}
