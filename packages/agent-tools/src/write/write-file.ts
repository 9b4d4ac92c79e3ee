import {
  AgentError,
  type Display,
  type FileIntent,
  pluralize,
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
import { encodeText, lineEndingOf, plainFormat, withLineFeeds } from '../files/text-file.ts';
import { type WriteInput, writtenPath } from './write-input.ts';

/** Writes a file, keeping the encoding and line endings of the one it replaces. */
export async function writeWholeFile(input: WriteInput, context: ToolContext): Promise<ToolOutput> {
  const resolved = await confirmAccess(writtenPath(input), context);
  const plan = await prepare(input, { resolved, scope: context });
  context.signal.throwIfAborted();
  await storeText(resolved.real, { ...plan, before: plan.stored }, context);
  context.state.get(fileLedger).record(resolved.real, versionOf(plan.bytes, Date.now()));
  return textOutput(report(input, plan), { display: storedDiff(statesOf(input, plan)) });
}

/** The change a call would make. */
export function previewWrite(input: WriteInput, scope: ToolScope): Promise<Display | undefined> {
  return foresee(input.file_path, scope, async (resolved) =>
    fileDiff(statesOf(input, await prepare(input, { resolved, scope }))),
  );
}

/** The hashes of the file before and after a call. */
export function intendWrite(input: WriteInput, scope: ToolScope): Promise<FileIntent | undefined> {
  return foresee(input.file_path, scope, async (resolved) =>
    intentOf(resolved.real, await prepare(input, { resolved, scope })),
  );
}

interface Plan {
  readonly stored: SeenText | undefined;
  readonly text: string;
  readonly bytes: Buffer;
  /** Remarks for the model about properties kept from the old file. */
  readonly notes: readonly string[];
}

async function prepare(
  input: WriteInput,
  { resolved, scope }: { readonly resolved: ResolvedPath; readonly scope: ToolScope },
): Promise<Plan> {
  const stored = await readSeenText(resolved.real, scope);
  if (stored && stored.text !== '') {
    const state = scope.state.get(fileLedger).compare(resolved.real, stored.version);
    if (state === 'unseen') {
      throw new AgentError(
        'tool',
        `${input.file_path} exists and you have not read it. Read it first, then write.`,
        { brief: 'not read yet' },
      );
    }
    if (state === 'changed') {
      throw new AgentError(
        'tool',
        `${input.file_path} was changed on disk since you last read it. Read it again, then write.`,
        { brief: briefs.Changed },
      );
    }
  }
  const notes: string[] = [];
  const hasMark = input.content.startsWith('\uFEFF');
  let text = hasMark ? input.content.slice(1) : input.content;
  const ending = lineEndingOf(stored?.text ?? '');
  if ((ending === '\r\n' || ending === '\r') && lineEndingOf(text) === '\n') {
    text = text.replaceAll('\n', ending);
    notes.push(`Its ${ending === '\r' ? 'CR' : 'CRLF'} line endings were kept.`);
  }
  const format = { encoding: (stored ?? plainFormat).encoding, bom: hasMark || (stored?.bom ?? false) };
  if (format.encoding === 'windows-1252') format.bom = false;
  if (format.encoding !== 'utf-8') notes.push(`Its encoding, ${format.encoding}, was kept.`);
  return { stored, text, bytes: encodeText(text, format), notes };
}

function report(input: WriteInput, plan: Plan): string {
  const count = countLines(withLineFeeds(plan.text));
  const verb = plan.stored ? 'Replaced' : 'Created';
  return [`${verb} ${input.file_path} (${pluralize(count, 'line')}).`, ...plan.notes].join(' ');
}

function statesOf({ file_path: path }: WriteInput, { stored, text }: Plan): FileStates {
  return { path, before: stored?.text, after: text };
}

function countLines(text: string): number {
  if (text === '') return 0;
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').length;
}
