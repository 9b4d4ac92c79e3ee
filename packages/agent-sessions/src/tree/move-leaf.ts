import { AgentError, givenFields, type ModelChoice, type RetryPolicy } from '@robota-sdk/agent-core';
import { type Summary, summarize } from '../compaction/summarize.ts';
import { touchedFiles, withFileLists } from '../compaction/touched-files.ts';
import { buildContext } from '../entry/build-context.ts';
import type { Entry } from '../entry/entry.ts';
import { repairMessages } from '../entry/repair.ts';
import { type SessionTotals, spentDraft } from '../entry/session-totals.ts';
import type { SessionHandle } from '../store/session-handle.ts';

/** The target of a move, and whether to summarize the abandoned branch. */
export interface Move {
  /** Null is the beginning, before everything. */
  readonly to: string | null;
  /** Lets a model summarize the abandoned branch; a string sets the focus. */
  readonly summarize?: boolean | string | undefined;
  readonly choice: ModelChoice;
  readonly retry?: RetryPolicy | undefined;
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a move. */
export interface MoveResult {
  /** The summary of the abandoned branch. */
  readonly summary?: string;
  /** Why a requested summary is missing. */
  readonly problem?: string;
  /** Cost of the summary. */
  readonly used?: SessionTotals;
}

/** Makes another entry the leaf. A failed summary does not block the move. */
export async function moveLeaf(handle: SessionHandle, move: Move): Promise<MoveResult> {
  const { to, choice, signal } = move;
  const fromId = handle.leafId ?? 'root';
  const left = move.summarize ? entriesLeft(handle, to) : [];
  if (!left.some(isAnswer)) {
    await handle.setLeaf(to);
    return {};
  }
  const messages = repairMessages(buildContext(left));
  const summary = await summarize({
    messages,
    choice,
    signal,
    ...(typeof move.summarize === 'string' ? { focus: move.summarize } : {}),
    ...givenFields({ instructions: move.instructions, retry: move.retry }),
  });
  if (signal.aborted)
    throw new AgentError('aborted', 'Interrupted: the conversation stays where it is, nothing was changed.');
  await handle.setLeaf(to);
  if (!summary.ok) {
    const used = usedFor(summary);
    if (used.modelCalls > 0)
      await handle.append(spentDraft(used, { purpose: 'summaries', model: choice.model }), { durable: true });
    return { problem: summary.failure.message, used };
  }
  const files = touchedFiles(messages);
  const text = withFileLists(summary.text, files);
  const details = {
    readFiles: files.read,
    modifiedFiles: files.modified,
    model: `${summary.choice.model.vendor}/${summary.choice.model.id}`,
    cost: summary.cost,
    modelCalls: summary.modelCalls,
  };
  await handle.append(
    { type: 'branch_summary', fromId, summary: text, details, usage: summary.usage },
    { durable: true },
  );
  return { summary: text, used: usedFor(summary) };
}

/** True if moving to an entry abandons work that a summary could keep. */
export function leavesWork(handle: SessionHandle, to: string | null): boolean {
  return entriesLeft(handle, to).some(isAnswer);
}

/** The entries of the present branch that are not on the way to another one. */
function entriesLeft(handle: SessionHandle, to: string | null): Entry[] {
  const staying = new Set(to === null ? [] : handle.pathIds(to));
  return handle.pathIds().flatMap((id) => (staying.has(id) ? [] : (handle.entry(id) ?? [])));
}

function isAnswer(entry: Entry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant';
}

function usedFor({ usage, cost, modelCalls }: Summary): SessionTotals {
  return { usage, cost, modelCalls };
}
