import { AgentError } from '@robota-sdk/agent-core';

/** The identity of a task, by which a user names it. */
export interface NamedTask {
  readonly id: string;
  readonly name: string;
}

const shownMatches = 5;

/** The id that a reference means: an id, the unique beginning of one, or the name of only one task. */
export function findTask(reference: string, tasks: readonly NamedTask[]): string | undefined {
  if (tasks.some(({ id }) => id === reference)) return reference;
  const named = tasks.filter(({ name }) => name === reference);
  const found =
    named.length > 0 ? named : tasks.filter(({ id }) => reference !== '' && id.startsWith(reference));
  if (found.length < 2) return found[0]?.id;
  const shown = found.slice(-shownMatches).map(({ id, name }) => `  ${id}  ${name}`);
  throw new AgentError('usage', `"${reference}" means ${found.length} tasks. Use the id of one.`, {
    details: found.length > shown.length ? [...shown, '  …'] : shown,
  });
}
