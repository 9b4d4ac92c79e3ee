import type { Stage } from '../stage.ts';

/** Opens the screen of a command that has one; tells whether there is one. */
export async function openScreenFor(_text: string, _stage: Stage): Promise<boolean> {
  return false;
}
