import { AgentError, nearest } from '@robota-sdk/agent-sdk';

/** A word that `robota` may begin with instead of a prompt, such as `robota permissions list`. */
export interface Subcommand {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Runs with the words behind the name; without any, the first verb is meant. */
  run(words: readonly string[]): Promise<number>;
}

/** Every subcommand; what it needs is loaded when it runs. */
const subcommands: readonly Subcommand[] = [
  {
    name: 'permissions',
    verbs: ['list', 'check', 'suggest'],
    run: async (words) => (await import('./permissions/permissions-command.ts')).permissionsCommand(words),
  },
];

/**
 * The subcommand that a command line means. Only the name alone or followed by one of its verbs counts, so that a prompt may
 * begin with the same word; a verb that is almost right is an error.
 */
export function findSubcommand([name, verb, ...rest]: readonly string[]): Subcommand | undefined {
  const found = subcommands.find((one) => one.name === name);
  if (found === undefined || verb === undefined) return found;
  if (found.verbs.includes(verb) || verb === '--help' || verb === '-h') return found;
  const [near] = rest.length === 0 ? nearest(verb, found.verbs) : [];
  if (near === undefined) return undefined;
  throw new AgentError('usage', `Unknown command robota ${name} ${verb}. Did you mean ${near}?`);
}
