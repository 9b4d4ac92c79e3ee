import { AgentError, nearest } from '@robota-sdk/agent-sdk';

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
    run: async (words) => (await import('./permissions/permissions-command.ts')).permissionsCommand(words),
  },
  {
    name: 'config',
    verbs: ['list', 'get', 'set', 'unset', 'explain', 'path', 'edit', 'schema'],
    run: async (words) => (await import('./config/config-command.ts')).configCommand(words),
  },
  {
    name: 'login',
    run: async (words) => (await import('./login/login-command.ts')).loginCommand(words),
  },
  {
    name: 'logout',
    run: async (words) => (await import('./login/logout-command.ts')).logoutCommand(words),
  },
  {
    name: 'doctor',
    run: async (words) => (await import('./doctor/doctor-command.ts')).doctorCommand(words),
  },
  {
    name: 'sessions',
    verbs: ['list', 'show', 'search', 'name', 'delete', 'export', 'import'],
    run: async (words) => (await import('./sessions/sessions-command.ts')).sessionsCommand(words),
  },
  {
    name: 'schema',
    run: async (words) => (await import('./schema/schema-command.ts')).schemaCommand(words),
  },
  {
    name: 'acp',
    run: async (words) => (await import('./acp/acp-command.ts')).acpCommand(words),
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
    run: async (words) => (await import('./plugin/plugin-command.ts')).pluginCommand(words),
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
    run: async (words) => (await import('./mcp/mcp-command.ts')).mcpCommand(words),
  },
];

/**
 * The subcommand a command line means, with the words behind its name. A first word that is exactly a name always counts, so
 * that a mistyped verb never goes to a model; a prompt that begins with the same word stands in quotes.
 */
export function findSubcommand(argv: readonly string[]): (() => Promise<number>) | undefined {
  const [name = '', verb, ...rest] = argv;
  if (name === 'help' && rest.length === 0) return helpOn(verb);
  const found = named(name);
  if (found === undefined) return refuseAlmost(name, verb, argv);
  const { verbs } = found;
  if (!verbs || verb === undefined || verb.startsWith('-') || verbs.includes(verb))
    return () => found.run(argv.slice(1));
  const [near] = nearest(verb, verbs);
  const hint = near === undefined ? '' : ` Did you mean robota ${name} ${near}?`;
  throw new AgentError(
    'usage',
    `There is no robota ${name} ${verb}; there is ${verbs.join(', ')}.${hint} ${quoteIt(argv)}`,
  );
}

function named(name: string | undefined): Subcommand | undefined {
  return subcommands.find((one) => one.name === name);
}

function helpOn(topic: string | undefined): (() => Promise<number>) | undefined {
  if (topic !== undefined) {
    const found = named(topic);
    return found && (() => found.run(['--help']));
  }
  return async () => {
    const { helpText } = await import('./help.ts');
    process.stdout.write(helpText());
    return 0;
  };
}

/** A name that is almost right, alone, before options or before one of its verbs, is no prompt either. */
function refuseAlmost(name: string, verb: string | undefined, argv: readonly string[]): undefined {
  const isAlone = argv.slice(1).every((word) => word.startsWith('-'));
  const names = subcommands
    .filter(({ verbs }) => isAlone || (verb !== undefined && verbs?.includes(verb)))
    .map((one) => one.name);
  const [near] = nearest(name, isAlone ? [...names, 'help'] : names);
  if (near === undefined || near === name) return undefined;
  const meant = isAlone ? near : `${near} ${verb}`;
  const prompt = isAlone ? `Put a prompt in quotes: robota -p "${name}".` : quoteIt(argv);
  throw new AgentError(
    'usage',
    `There is no command robota ${name}. Did you mean robota ${meant}? ${prompt}`,
  );
}

function quoteIt(argv: readonly string[]): string {
  const words = argv.filter((word) => !word.startsWith('-')).join(' ');
  return `Put a prompt in quotes: robota "${words}".`;
}
