import { AgentError, takeSubcommand } from '@robota-sdk/agent-sdk/front-end';
import { sessionsRow } from '../arguments/shell-rows.ts';

type Run = (words: readonly string[]) => Promise<number>;

/** The module of each verb; loaded on demand. */
const commands: Readonly<Record<string, Run>> = {
  list: async (words) => (await import('./list-sessions-command.ts')).listSessionsCommand(words),
  import: async (words) => (await import('./import-command.ts')).importCommand(words),
  export: async (words) => (await import('./export-command.ts')).exportCommand(words),
  show: async (words) => (await import('./show-command.ts')).showCommand(words),
  search: async (words) => (await import('./search-command.ts')).searchCommand(words),
  name: async (words) => (await import('./name-command.ts')).nameCommand(words),
  delete: async (words) => (await import('./delete-command.ts')).deleteCommand(words),
};

/** Runs `robota sessions …`. */
export async function sessionsCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(sessionsRow, given, 'shell');
  const run = commands[name];
  if (!run) throw new AgentError('usage', `robota sessions ${name} is not available.`);
  return run(words);
}
