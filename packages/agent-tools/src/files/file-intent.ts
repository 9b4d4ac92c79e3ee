import type { FileIntent, ToolScope } from '@robota-sdk/agent-core';
import type { SeenText } from './editor-text.ts';
import { fileLedger, readStoredText, versionOf } from './file-ledger.ts';

/** The intent of a change; undefined for a file with unsaved changes in an editor, which the disk does not show. */
export function intentOf(
  path: string,
  { stored, bytes }: { readonly stored: SeenText | undefined; readonly bytes: Uint8Array },
): FileIntent | undefined {
  if (stored?.isUnsaved) return undefined;
  const after = versionOf(bytes, 0).hash;
  return after === undefined ? undefined : { path, before: stored?.version.hash ?? null, after };
}

/** Compares a file with an intent; an expected file counts as seen by the model. */
export async function resumeChange(
  { path, before, after }: FileIntent,
  scope: Pick<ToolScope, 'state'>,
): Promise<'done' | 'run' | 'differs'> {
  // A file that became binary or too large was not written by these tools.
  const stored = await readStoredText(path).catch(() => null);
  if (stored === null) return 'differs';
  const now = stored?.version.hash ?? null;
  if (now !== after && now !== before) return 'differs';
  if (stored) scope.state.get(fileLedger).record(path, stored.version);
  return now === after ? 'done' : 'run';
}
