import {
  AgentError,
  type Display,
  type FileIntent,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  textOutput,
} from '@robota-sdk/agent-core';
import type { FileStates } from '@robota-sdk/agent-diff';
import { readSeenText, type SeenText, storeText } from '../files/editor-text.ts';
import { fileDiff, storedDiff } from '../files/file-diff.ts';
import { intentOf } from '../files/file-intent.ts';
import { fileLedger, versionOf } from '../files/file-ledger.ts';
import { briefs, confirmAccess, foresee, type ResolvedPath } from '../files/resolve-path.ts';
import { describeMissing } from '../files/similar-names.ts';
import { encodeText, plainFormat } from '../files/text-file.ts';
import { applyEdits, type EditedText } from './apply-edits.ts';
import { type EditInput, editedPath } from './edit-input.ts';
import type { Edit } from './find-match.ts';

/** Applies the edits of a call, all or none. */
export async function editFile(input: EditInput, context: ToolContext): Promise<ToolOutput> {
  const resolved = await confirmAccess(editedPath(input), context);
  const { edited, stored } = await prepare(input, { resolved, scope: context });
  const bytes = bytesOf({ edited, stored });
  context.signal.throwIfAborted();
  await storeText(resolved.real, { text: edited.text, bytes, before: stored }, context);
  context.state.get(fileLedger).record(resolved.real, versionOf(bytes, Date.now()));
  return textOutput(report(input, edited), { display: storedDiff(statesOf(input, { edited, stored })) });
}

/** The change a call would make. */
export function previewEdit(input: EditInput, scope: ToolScope): Promise<Display | undefined> {
  return foresee(input.file_path, scope, async (resolved) =>
    fileDiff(statesOf(input, await prepare(input, { resolved, scope }))),
  );
}

/** The hashes of the file before and after a call. */
export function intendEdit(input: EditInput, scope: ToolScope): Promise<FileIntent | undefined> {
  return foresee(input.file_path, scope, async (resolved) => {
    const prepared = await prepare(input, { resolved, scope });
    return intentOf(resolved.real, { stored: prepared.stored, bytes: bytesOf(prepared) });
  });
}

function bytesOf({ edited, stored }: PreparedEdit): Buffer {
  return encodeText(edited.text, stored ?? plainFormat);
}

interface PreparedEdit {
  readonly edited: EditedText;
  readonly stored?: SeenText | undefined;
}

function statesOf({ file_path: path }: EditInput, { edited, stored }: PreparedEdit): FileStates {
  return { path, before: stored?.text, after: edited.text };
}

async function prepare(
  input: EditInput,
  { resolved, scope }: { readonly resolved: ResolvedPath; readonly scope: ToolScope },
): Promise<PreparedEdit> {
  const edits = editsOf(input);
  const stored = await readSeenText(resolved.real, scope);
  const [first] = edits;
  if (first?.old_string === '' && edits.length === 1) {
    if (stored && stored.text !== '') {
      throw new AgentError(
        'tool',
        `${input.file_path} exists and is not empty. Quote the text to replace in old_string, or use Write.`,
      );
    }
    return { edited: createdText(first.new_string), ...(stored && { stored }) };
  }
  if (!stored)
    throw new AgentError('tool', await describeMissing(input.file_path, resolved, scope.workspace), {
      brief: briefs.NotFound,
    });
  if (scope.state.get(fileLedger).compare(resolved.real, stored.version) === 'changed') {
    throw new AgentError(
      'tool',
      `${input.file_path} was changed on disk since you last read it. Read it again, then edit.`,
      { brief: briefs.Changed },
    );
  }
  return { edited: applyEdits(stored.text, edits), stored };
}

function editsOf(input: EditInput): readonly Edit[] {
  const listed = input.edits ?? [];
  const { old_string = '', new_string = '', replace_all = false } = input;
  // Some models leave the single fields empty when they pass a list.
  if (listed.length > 0 && old_string === '' && new_string === '') return listed;
  if (input.old_string === undefined || input.new_string === undefined) {
    throw new AgentError('tool', 'Give old_string and new_string, or edits.');
  }
  return [{ old_string, new_string, replace_all }, ...listed];
}

function createdText(text: string): EditedText {
  return { text, replacements: 1, lines: [1], notes: [] };
}

function report(input: EditInput, { replacements, lines, notes }: EditedText): string {
  const shown = lines.slice(0, 10).join(', ') + (replacements > 10 ? ', ...' : '');
  const places = replacements === 1 ? `at line ${shown}` : `in ${replacements} places (lines ${shown})`;
  return [`Edited ${input.file_path} ${places}.`, ...notes].join('\n');
}
