import { AgentError, atomicWrite, type ToolScope } from '@robota-sdk/agent-core';
import { editorAccess } from './editor-access.ts';
import { readStoredText, type StoredText, versionOf } from './file-ledger.ts';
import { lineEndingOf, plainFormat, withLineFeeds } from './text-file.ts';

/** The text of a file before a change, as the editor shows it. */
export interface SeenText extends StoredText {
  /** True if the editor has unsaved changes. */
  readonly isUnsaved?: boolean;
}

/** Reads a whole text file from the editor, otherwise from disk; undefined if it does not exist. */
export async function readSeenText(real: string, scope: ToolScope): Promise<SeenText | undefined> {
  const stored = await readStoredText(real);
  return stored && withUnsavedChanges(real, stored, scope);
}

/** Adds the editor's unsaved changes to a stored text. */
export async function withUnsavedChanges(
  real: string,
  stored: StoredText,
  { state }: Pick<ToolScope, 'state'>,
): Promise<SeenText> {
  const text = await state.get(editorAccess).port?.readText?.(real);
  if (text === undefined || withLineFeeds(text) === withLineFeeds(stored.text)) return stored;
  // Editors show every line ending as LF and write the file's own.
  const own = lineEndingOf(stored.text) === '\r\n' ? withLineFeeds(text).replaceAll('\n', '\r\n') : text;
  return { ...stored, text: own, version: versionOf(Buffer.from(own), Date.now()), isUnsaved: true };
}

/** The new content of a file, and the content it replaces. */
export interface TextChange {
  readonly text: string;
  /** The same as bytes. */
  readonly bytes: Buffer;
  readonly before: SeenText | undefined;
}

/** Writes a text through the editor if possible, otherwise to disk. */
export async function storeText(
  real: string,
  { text, bytes, before }: TextChange,
  { state }: Pick<ToolScope, 'state'>,
): Promise<void> {
  const { port } = state.get(editorAccess);
  const { encoding, bom } = before ?? plainFormat;
  // Not every editor keeps other encodings; without unsaved changes, writing to disk loses nothing.
  const isPlain = encoding === 'utf-8' && !bom;
  if (port?.writeText && (isPlain || before?.isUnsaved) && (await port.writeText(real, text))) return;
  if (before?.isUnsaved) {
    const advice = 'Ask the user to save or discard them, then try again.';
    throw new AgentError('tool', `${real} has unsaved changes in the editor. It was left alone. ${advice}`);
  }
  await atomicWrite(real, bytes);
}
