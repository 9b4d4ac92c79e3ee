import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** The model and thinking level that were chosen in one session stay in the next, whatever the command line names. */
export async function keepModel(old: InteractiveSession, next: InteractiveSession): Promise<void> {
  const { vendor, id } = old.model;
  const { model } = next;
  if (model.vendor !== vendor || model.id !== id) {
    try {
      next.useModel(`${vendor}/${id}`);
    } catch {
      // The settings' own model is there already.
    }
  }
  if (next.thinking !== old.thinking) await next.setThinking(old.thinking);
}

/** Directories that the user added to one session stay in the next. */
export function keepDirectories(old: InteractiveSession, next: InteractiveSession): void {
  const { permissions } = next;
  const known = new Set([next.place.cwd, ...permissions.directories]);
  for (const directory of old.permissions.added)
    if (!known.has(directory)) permissions.addDirectory(directory);
}

/** A copy works towards the same goal, by the same check. */
export async function keepGoal(old: InteractiveSession, next: InteractiveSession): Promise<void> {
  const { current } = old.goal;
  if (current?.check !== undefined && next.goal.hasIdleCheck) await next.goal.set(current);
}
