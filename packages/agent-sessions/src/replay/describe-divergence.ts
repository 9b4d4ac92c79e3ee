import { commonLength } from '@robota-sdk/agent-core';
import type { RequestPrint } from './request-print.ts';

interface Expected extends Pick<RequestPrint, 'model' | 'messages'> {
  /** Its index among the exchanges of the recording, from 0. */
  readonly index: number;
}

const shownCharacters = 120;

/** Describes where a session diverged from its recording, and the cause. */
export function describeDivergence(print: RequestPrint, expected: Expected | undefined): string {
  if (!expected) {
    const last = excerpt(print.messages.at(-1) ?? '', 0);
    return `The replay diverged: the recording has no more exchanges, and the run asked again with ${last}. Record it again.`;
  }
  const where = `The replay diverged at model call ${expected.index + 1}`;
  if (print.model !== expected.model)
    return `${where}: ${expected.model} was asked then, ${print.model} is now. Record it again, or use that model.`;
  const at = commonLength(expected.messages, print.messages);
  const was = expected.messages[at];
  const now = print.messages[at];
  if (now === undefined) return `${where}: message ${at + 1} is missing, which was ${excerpt(was ?? '', 0)}.`;
  if (was === undefined) return `${where}: message ${at + 1} is new: ${excerpt(now, 0)}.`;
  const from = commonLength([...was], [...now]);
  return `${where}: message ${at + 1} was ${excerpt(was, from)} and is now ${excerpt(now, from)}.`;
}

/** A quotation around a position, by characters. */
function excerpt(text: string, at: number): string {
  const points = [...text];
  const start = Math.max(0, at - shownCharacters / 4);
  const shown = points.slice(start, start + shownCharacters).join('');
  const end = start + shownCharacters < points.length ? '…' : '';
  return JSON.stringify(`${start > 0 ? '…' : ''}${shown}${end}`);
}
