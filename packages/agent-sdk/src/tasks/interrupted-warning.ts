import { type Problem, warning } from '@robota-sdk/agent-core';
import type { BackgroundTask } from './task-state.ts';

/** Warns about tasks interrupted by the program's exit, until the user has looked at them. */
export function interruptedProblems(tasks: readonly BackgroundTask[]): Problem[] {
  const lost = tasks.filter(({ status, unread }) => status === 'interrupted' && unread);
  const [first] = lost;
  if (!first) return [];
  const what = lost.length === 1 ? '1 background task was' : `${lost.length} background tasks were`;
  const agent = lost.find(({ kind }) => kind === 'agent');
  const how = agent === undefined ? '' : `, /agent send ${agent.id} PROMPT continues one`;
  const message = `${what} interrupted when the program ended.`;
  return [warning('tasks.interrupted', message, { subject: first.id, hint: `/tasks lists them${how}.` })];
}
