import { existsSync } from 'node:fs';
import { AgentError, nearest } from '@robota-sdk/agent-sdk/front-end';
import { optionLength } from '../arguments/args.ts';
import { reservedWord } from '../arguments/reserved-words.ts';

/** A word that `robota` may begin with instead of a prompt, such as `robota permissions list`. */
interface Subcommand {
  readonly name: string;
  /** The words that can follow; without any, whatever follows is for the subcommand to judge. */
  readonly verbs?: readonly string[];
  /** Runs with the words behind the name; without a verb, the first one is meant. */
  run(words: readonly string[]): Promise<number>;
}

/** Every subcommand; what it needs is loaded when it runs. */
const subcommands: readonly Subcommand[] = [
  {
    name: 'permissions',
    verbs: ['list', 'check', 'suggest'],
    run: async (words) => (await import('../permissions/permissions-command.ts')).permissionsCommand(words),
  },
  {
    name: 'config',
    verbs: ['list', 'get', 'set', 'unset', 'explain', 'path', 'edit', 'schema'],
    run: async (words) => (await import('../config/config-command.ts')).configCommand(words),
  },
  {
    name: 'login',
    run: async (words) => (await import('../login/login-command.ts')).loginCommand(words),
  },
  {
    name: 'logout',
    run: async (words) => (await import('../login/logout-command.ts')).logoutCommand(words),
  },
  {
    name: 'doctor',
    run: async (words) => (await import('../doctor/doctor-command.ts')).doctorCommand(words),
  },
  {
    name: 'sessions',
    verbs: ['list', 'show', 'search', 'name', 'delete', 'export', 'import'],
    run: async (words) => (await import('../sessions/sessions-command.ts')).sessionsCommand(words),
  },
  {
    name: 'schema',
    run: async (words) => (await import('../schema/schema-command.ts')).schemaCommand(words),
  },
  {
    name: 'acp',
    run: async (words) => (await import('../acp/acp-command.ts')).acpCommand(words),
  },
  {
    name: 'plugin',
    verbs: [
      'list',
      'install',
      'uninstall',
      'remove',
      'enable',
      'disable',
      'update',
      'search',
      'marketplace',
      'approve',
      'toolchain',
      'new',
      'validate',
    ],
    run: async (words) => (await import('../plugin/plugin-command.ts')).pluginCommand(words),
  },
  {
    name: 'mcp',
    verbs: [
      'list',
      'get',
      'add',
      'add-json',
      'remove',
      'enable',
      'disable',
      'test',
      'login',
      'logout',
      'serve',
    ],
    run: async (words) => (await import('../mcp/mcp-command.ts')).mcpCommand(words),
  },
];

/**
 * The subcommand a command line means, with the words behind its name. A first word that is exactly a name always counts, so
 * that a mistyped verb never goes to a model; a prompt that begins with the same word stands in quotes. So do words that are
 * commands of other programs, and single words that are no prompt by any likelihood.
 */
export function findSubcommand(argv: readonly string[]): (() => Promise<number>) | undefined {
  const { options, words } = leadingOptions(argv);
  // With -p, whatever stands there is a prompt; an option nobody knows is told where options are read.
  if (options.some(isPrint) || words[0]?.startsWith('-')) return undefined;
  const [name = '', verb] = words;
  const spoken = withoutOptions(words);
  if (name === 'help' && spoken.length < 3) return helpOn(spoken[1]);
  const found = named(name);
  if (found === undefined) return refuseWord(name, words);
  const behind = [...words.slice(1), ...directoryIn(options, name)];
  const { verbs } = found;
  if (!verbs || verb === undefined || verb.startsWith('-') || verbs.includes(verb))
    return () => found.run(behind);
  const [near] = nearest(verb, verbs);
  const hint = near === undefined ? '' : ` Did you mean robota ${name} ${near}?`;
  throw new AgentError(
    'usage',
    `Unknown subcommand "${verb}". Available: ${verbs.join(', ')}.${hint} ${quoteIt(words)}`,
  );
}

/** The options that stand before the first word, and the words from there on. */
function leadingOptions(argv: readonly string[]): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  let at = 0;
  for (let length = 1; length > 0 && /^-[^-]|^--./.test(argv[at] ?? ''); at += length)
    length = optionLength(argv.slice(at));
  return { options: argv.slice(0, at), words: argv.slice(at) };
}

/** The words that are neither options nor their values. */
function withoutOptions(words: readonly string[]): readonly string[] {
  if (words.length === 0) return [];
  const { options, words: rest } = leadingOptions(words);
  const [word, ...behind] = rest;
  if (word === undefined) return [];
  // An option nobody knows stands for itself.
  if (options.length === 0 && word.startsWith('-')) return withoutOptions(behind);
  return word.startsWith('-') ? withoutOptions(rest) : [word, ...withoutOptions(behind)];
}

/** Whether the options say that a prompt follows. */
function isPrint(word: string): boolean {
  return word === '-p' || word === '--print';
}

/** A subcommand takes the directory that stands before it, and no other option. */
function directoryIn(options: readonly string[], name: string): readonly string[] {
  if (options.length === 0) return [];
  const [option = '', directory = ''] = options;
  if (options.length === 2 && option === '--cwd') return ['--cwd', directory];
  if (options.length === 1 && option.startsWith('--cwd=')) return ['--cwd', option.slice('--cwd='.length)];
  throw new AgentError(
    'usage',
    `${option} means nothing to robota ${name}. Leave it out; options of a command stand behind it.`,
  );
}

function named(name: string | undefined): Subcommand | undefined {
  return subcommands.find((one) => one.name === name);
}

function helpOn(topic: string | undefined): () => Promise<number> {
  if (topic !== undefined) {
    const found = named(topic);
    if (found) return () => found.run(['--help']);
    const names = subcommands.map((one) => one.name);
    const [near] = nearest(topic, names);
    const known =
      near === undefined ? `Available: ${names.join(', ')}.` : `Did you mean robota help ${near}?`;
    throw new AgentError('usage', `Unknown command "${topic}". ${reservedWord(topic) ?? known}`);
  }
  return async () => {
    const { helpText } = await import('../arguments/help.ts');
    process.stdout.write(helpText());
    return 0;
  };
}

/** A word of another program, a name that is almost right, and a single word that could be a name are no prompts. */
function refuseWord(name: string, words: readonly string[]): undefined {
  const advice = reservedWord(name);
  if (advice !== undefined)
    throw new AgentError('usage', `Robota has no command "${name}". ${advice} ${sendIt(words)}`);
  const [, verb] = words;
  const isAlone = withoutOptions(words).length === 1;
  const names = subcommands
    .filter(({ verbs }) => isAlone || (verb !== undefined && verbs?.includes(verb)))
    .map((one) => one.name);
  const [near] = nearest(name, isAlone ? [...names, 'help'] : names);
  if (near === name || (near === undefined && !(isAlone && isBareWord(name)))) return undefined;
  const meant = isAlone ? near : `${near} ${verb}`;
  const hint = near === undefined ? 'See robota --help.' : `Did you mean robota ${meant}?`;
  throw new AgentError('usage', `Unknown command "${name}". ${hint} ${sendIt(words)}`);
}

/** A word as names of commands are, and not the name of a file. */
function isBareWord(word: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !existsSync(word);
}

function quoteIt(argv: readonly string[]): string {
  const words = withoutOptions(argv).join(' ');
  return `Put a prompt in quotes: robota "${words}".`;
}

/** How the words are sent to the model all the same. */
function sendIt(argv: readonly string[]): string {
  const words = withoutOptions(argv).join(' ');
  return `To send it as a prompt: robota -p "${words}".`;
}
