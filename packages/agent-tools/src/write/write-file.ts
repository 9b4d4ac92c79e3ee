import {
  AgentError,
  type DiffLine,
  type Display,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  textOutput,
} from '@robota-sdk/agent-core';
import { changedLines, diffDisplay, linesOf } from '../files/changed-lines.ts';
import { readSeenText, type SeenText, storeText } from '../files/editor-text.ts';
import { fileLedger, versionOf } from '../files/file-ledger.ts';
import { confirmAccess, type ResolvedPath, resolvePath } from '../files/resolve-path.ts';
import { encodeText, lineEndingOf, plainFormat, withLineFeeds } from '../files/text-file.ts';
import { lineDiff } from './line-diff.ts';
import { type WriteInput, writtenPath } from './write-input.ts';

/** Writes what a call says, in the encoding and with the line ends of what it replaces. */
export async function writeWholeFile(input: WriteInput, context: ToolContext): Promise<ToolOutput> {
  const resolved = await confirmAccess(writtenPath(input), context);
  const plan = await prepare(input, { resolved, scope: context });
  context.signal.throwIfAborted();
  await storeText(resolved.real, { ...plan, before: plan.stored }, context);
  context.state.get(fileLedger).record(resolved.real, versionOf(plan.bytes, Date.now()));
  return textOutput(report(input, plan), { display: await displayOf(input, plan) });
}

/** The change a call would make; undefined if the call itself will report an error. */
export async function previewWrite(input: WriteInput, scope: ToolScope): Promise<Display | undefined> {
  try {
    const resolved = await resolvePath(input.file_path, scope.workspace, 'write');
    if (resolved.problem) return undefined;
    return await displayOf(input, await prepare(input, { resolved, scope }));
  } catch {
    return undefined;
  }
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
      );
    }
    if (state === 'changed') {
      throw new AgentError(
        'tool',
        `${input.file_path} was changed on disk since you last read it. Read it again, then write.`,
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
  const count = linesOf(withLineFeeds(plan.text)).length;
  const verb = plan.stored ? 'Replaced' : 'Created';
  return [`${verb} ${input.file_path} (${count} ${count === 1 ? 'line' : 'lines'}).`, ...plan.notes].join(
    ' ',
  );
}

async function displayOf(input: WriteInput, { stored, text }: Plan) {
  const before = linesOf(withLineFeeds(stored?.text ?? ''));
  const after = linesOf(withLineFeeds(text));
  const lines: readonly DiffLine[] = stored
    ? await lineDiff(before, after)
    : changedLines({ before, after, beforeLine: 1, afterLine: 1 });
  return diffDisplay(input.file_path, lines);
}
