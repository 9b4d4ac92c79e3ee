import type { BackgroundTask } from './task-state.ts';

/** Warns about tasks interrupted by the program's exit, until the user has looked at them. */
export function interruptedWarning(tasks: readonly BackgroundTask[]): string[] {
  const lost = tasks.filter(({ status, unread }) => status === 'interrupted' && unread);
  const [first] = lost;
  if (!first) return [];
  const what = lost.length === 1 ? '1 background task was' : `${lost.length} background tasks were`;
  const agent = lost.find(({ kind }) => kind === 'agent');
  const how = agent === undefined ? '' : `; /agent send ${agent.id} PROMPT goes on with one`;
  return [`${what} interrupted when the program ended. /tasks lists them${how}.`];
}
