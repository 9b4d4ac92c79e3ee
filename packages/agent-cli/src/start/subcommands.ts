import { existsSync, statSync } from 'node:fs';
import {
  AgentError,
  type CommandRow,
  describeProblem,
  findCommandRow,
  nearest,
  type ProblemHint,
  problemOf,
  subcommandsOn,
  takeSubcommand,
} from '@robota-sdk/agent-sdk/front-end';
import { adviceFor } from '../arguments/advice.ts';
import { leadingOptions } from '../arguments/args.ts';
import { programName } from '../arguments/program-name.ts';
import { findShellRow, shellRows } from '../arguments/shell-rows.ts';
import { translateWord } from '../arguments/translated-options.ts';

/** `startCli`, for a command that ends in a session. */
type StartCli = (words: readonly string[]) => Promise<number>;
type Run = (words: readonly string[], startCli: StartCli) => Promise<number>;

/** Runs each command of the table with the words behind its name; what it needs is loaded then. */
const runs: Readonly<Record<string, Run>> = {
  permissions: async (words) =>
    (await import('../permissions/permissions-command.ts')).permissionsCommand(words),
  config: async (words) => (await import('../config/config-command.ts')).configCommand(words),
  login: async (words) => (await import('../login/login-command.ts')).loginCommand(words),
  logout: async (words) => (await import('../login/logout-command.ts')).logoutCommand(words),
  doctor: async (words) => (await import('../doctor/doctor-command.ts')).doctorCommand(words),
  sessions: async (words) => (await import('../sessions/sessions-command.ts')).sessionsCommand(words),
  usage: async (words) => (await import('../usage/usage-command.ts')).usageCommand(words),
  schema: async (words) => (await import('../schema/schema-command.ts')).schemaCommand(words),
  completion: async (words) => (await import('../completion/completion-command.ts')).completionCommand(words),
  demo: async (words) => (await import('../tour/demo-command.ts')).demoCommand(words),
  local: async (words, startCli) => (await import('../local/local-command.ts')).localCommand(words, startCli),
  man: async (words) => (await import('../completion/completion-command.ts')).manCommand(words),
  version: async (words) => (await import('../update/version-command.ts')).versionCommand(words),
  update: async (words) => (await import('../update/update-command.ts')).updateCommand(words),
  uninstall: async (words) => (await import('../update/uninstall-command.ts')).uninstallCommand(words),
  acp: async (words) => (await import('../acp/acp-command.ts')).acpCommand(words),
  web: async (words) => (await import('../web/web-command.ts')).webCommand(words),
  plugin: async (words) => (await import('../plugin/plugin-command.ts')).pluginCommand(words),
  mcp: async (words) => (await import('../mcp/mcp-command.ts')).mcpCommand(words),
  fleet: async (words) => (await import('../fleet/fleet-command.ts')).fleetCommand(words),
  worker: async (words) => (await import('../fleet/fleet-command.ts')).workerCommand(words),
  run: async (words) => (await import('../fleet/fleet-command.ts')).taskCommand(words),
};

/**
 * The subcommand a command line means, with the words behind its name. A first word that is exactly a name always counts, so
 * that a mistyped verb never goes to a model; a prompt that begins with the same word stands in quotes. So do words that are
 * commands of other programs, and single words that are no prompt by any likelihood.
 */
export function findSubcommand(
  argv: readonly string[],
  startCli: StartCli,
): (() => Promise<number>) | undefined {
  const { options, words } = leadingOptions(argv);
  const [name = '', verb] = words;
  const spoken = withoutOptions(words);
  if (name === 'help' && (spoken.length < 3 || isSubcommand(spoken.slice(1)))) return helpOn(spoken[1]);
  const row = findShellRow(name);
  const run = Object.hasOwn(runs, name) ? runs[name] : undefined;
  if (!row || !run) return refuseWord(name, words);
  if (options.some((option) => option === '--help' || option === '-h')) return () => printHelp(row);
  const behind = [...words.slice(1), ...directoryIn(options, name)];
  if (verb !== undefined && !verb.startsWith('-')) assertSubcommand(row, words);
  return asksForHelp(row, behind) ? () => printHelp(row) : () => run(behind, startCli);
}

/** True for a command and one of its subcommands, and nothing else. */
function isSubcommand([name = '', verb, ...more]: readonly string[]): boolean {
  const row = findShellRow(name);
  return (
    row !== undefined && more.length === 0 && subcommandsOn(row, 'shell').some((each) => each.name === verb)
  );
}

function assertSubcommand(row: CommandRow, words: readonly string[]): void {
  if (subcommandsOn(row, 'shell').length === 0) return;
  try {
    takeSubcommand(row, words.slice(1), 'shell');
  } catch (thrown) {
    const text = describeProblem(problemOf(thrown), programName());
    throw new AgentError('usage', text, { hint: quoteIt(words) });
  }
}

/** Behind `--`, and behind a command line of the user's own, `--help` is only a word. */
function asksForHelp(row: CommandRow, words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const takesCommand = row.subcommands?.find(({ name }) => name === words[0])?.takesCommand;
  const options = words.slice(0, takesCommand ? 2 : end < 0 ? undefined : end);
  return options.includes('--help') || options.includes('-h');
}

async function printHelp(row: CommandRow): Promise<number> {
  const { commandHelp } = await import('../arguments/command-help.ts');
  return print(commandHelp(row, programName()));
}

/** The words that are neither options nor their values. */
function withoutOptions(words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const { options, words: rest } = leadingOptions(words);
  const [word, ...behind] = rest;
  if (word === undefined) return [];
  // An unknown option stays as written.
  if (options.length === 0 && word.startsWith('-')) return withoutOptions(behind);
  return word.startsWith('-') ? withoutOptions(rest) : [word, ...withoutOptions(behind)];
}

/** A subcommand takes the directory that stands before it, and no other option. */
function directoryIn(options: readonly string[], name: string): readonly string[] {
  if (options.length === 0) return [];
  const [option = '', directory = ''] = options;
  if (options.length === 2 && option === '--cwd') return ['--cwd', directory];
  if (options.length === 1 && option.startsWith('--cwd=')) return ['--cwd', option.slice('--cwd='.length)];
  throw new AgentError(
    'usage',
    `Unknown option ${option} for robota ${name}. Put options of a command after it.`,
  );
}

function helpOn(topic: string | undefined): () => Promise<number> {
  if (topic !== undefined) {
    const row = findShellRow(topic);
    if (row) return () => printHelp(row);
    const [meaning = topic] = translateWord([topic]);
    if (findShellRow(meaning)) return helpOn(meaning);
    if (meaning !== topic) {
      const program = programName();
      return () => print(`${program} ${topic} means ${program} ${meaning}. See ${program} --help.\n`);
    }
    const names = shellRows.map((one) => one.name);
    const [near] = nearest(topic, names);
    const meant = { text: 'Did you mean', run: ['help', near ?? ''] };
    const known = near === undefined ? `Available: ${names.join(', ')}.` : meant;
    throw new AgentError('usage', `Unknown command "${topic}".`, { hint: adviceFor(topic) ?? known });
  }
  return async () => print((await import('../arguments/help.ts')).helpText());
}

async function print(text: string): Promise<number> {
  process.stdout.write(text);
  return 0;
}

/** A word of another program, a name that is almost right, and a single word that could be a name are no prompts. */
function refuseWord(name: string, words: readonly string[]): undefined {
  // With -p the words are a prompt, wherever it stands.
  if (words.some((word) => word === '-p' || word === '--print')) return undefined;
  const reserved = adviceFor(name);
  if (reserved !== undefined)
    throw new AgentError('usage', `Robota has no command "${name}". ${reserved}`, { hint: sendIt(words) });
  const [, verb] = words;
  const isAlone = withoutOptions(words).length === 1;
  if (isAlone && statSync(name, { throwIfNoEntry: false })?.isDirectory())
    throw new AgentError(
      'usage',
      `"${name}" is a directory. Start in it with: ${programName()} --cwd ${name}`,
      {
        hint: sendIt(words),
      },
    );
  const names = shellRows
    .filter((row) => isAlone || subcommandsOn(row, 'shell').some((each) => each.name === verb))
    .map((one) => one.name);
  const [near] = nearest(name, names);
  if (near === name || (near === undefined && !(isAlone && isBareWord(name)))) return undefined;
  const meant = isAlone ? near : `${near} ${verb}`;
  const program = programName();
  const inSession = findCommandRow(name) ? `Use ${program} -p /${name}.` : `See ${program} --help.`;
  const advice = near === undefined ? inSession : `Did you mean ${program} ${meant}?`;
  throw new AgentError('usage', `Unknown command "${name}". ${advice}`, { hint: sendIt(words) });
}

/** A word as names of commands are, and not the name of a file. */
function isBareWord(word: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !existsSync(word);
}

function quoteIt(argv: readonly string[]): ProblemHint {
  return { text: 'Put a prompt in quotes', run: [withoutOptions(argv).join(' ')] };
}

/** How to send the words to the model anyway. */
function sendIt(argv: readonly string[]): ProblemHint {
  return { text: 'To send it as a prompt', run: ['-p', withoutOptions(argv).join(' ')] };
}
