import { AgentError, permissionsRow, takeSubcommand } from '@robota-sdk/agent-sdk/front-end';

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  list: async (words) => (await import('./list-rules-command.ts')).listRulesCommand(words),
  check: async (words) => (await import('./check-command.ts')).checkCommand(words),
  suggest: async (words) => (await import('./suggest-command.ts')).suggestCommand(words),
};

/** Runs `robota permissions …`. */
export async function permissionsCommand(given: readonly string[]): Promise<number> {
  const { name, words } = takeSubcommand(permissionsRow, given, 'shell');
  const run = commands[name];
  if (!run) throw new AgentError('usage', `robota permissions ${name} is not available.`);
  return run(words);
}
