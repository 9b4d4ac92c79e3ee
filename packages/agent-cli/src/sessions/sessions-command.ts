import { AgentError, nearest } from '@robota-sdk/agent-sdk/front-end';
import { sessionsHelp } from './sessions-help.ts';

type Run = (words: readonly string[]) => Promise<number>;

/** What each verb runs; loaded when it is asked for. */
const commands: Readonly<Record<string, Run>> = {
  list: async (words) => (await import('./list-command.ts')).listCommand(words),
  import: async (words) => (await import('./import-command.ts')).importCommand(words),
  export: async (words) => (await import('./export-command.ts')).exportCommand(words),
  show: async (words) => (await import('./show-command.ts')).showCommand(words),
  search: async (words) => (await import('./search-command.ts')).searchCommand(words),
  name: async (words) => (await import('./name-command.ts')).nameCommand(words),
  delete: async (words) => (await import('./delete-command.ts')).deleteCommand(words),
};

/** Runs `robota sessions …`; options without a verb are those of `list`. */
export async function sessionsCommand(given: readonly string[]): Promise<number> {
  const [verb = 'list', ...words] = given[0]?.startsWith('-') ? ['list', ...given] : given;
  if (asksForHelp(words)) {
    process.stdout.write(sessionsHelp);
    return 0;
  }
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (command) return command(words);
  const [near] = nearest(verb, Object.keys(commands));
  const hint = near === undefined ? 'See robota sessions --help.' : `Did you mean robota sessions ${near}?`;
  throw new AgentError('usage', `There is no robota sessions ${verb}. ${hint}`);
}

/** Behind `--` a word is only a word. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}
