import { isCountedMessage } from '../entry/is-counted-message.ts';
import { entryTotals } from '../entry/session-totals.ts';
import { lineDecoder, rawLines } from './session-lines.ts';

const headBytes = 256;
const tailBytes = 64;
/** Bytes after the cost of an answer; more only if it failed with a long error. */
const costBytes = 1024;
const closingBrace = 0x7d;

/** The start of our message lines; others are parsed completely. */
const messageHead =
  /^\{"type":"message","id":"[^"]+","parentId":(?:null|"[^"]*"),"timestamp":"[^"]*","message":\{"role":"(user|assistant|toolResult)"/;

/** The end of a message that is not counted: a reminder or a summary. */
const unsaidTail = /"origin":"(?:reminder|summary)"[^"]*$/;

/** The cost in our answers; no text can contain it, because its quotes are escaped. */
const answerCost = /"cost":\{[^{}]*"total":([\d.e+-]+)\}/g;

/** The size and cost of a session, on all branches. */
export interface SessionMeasure {
  /** Messages of the user and of models. */
  readonly messages: number;
  /** US dollars; 0 if no price is known. */
  readonly cost: number;
}

/** Measures a session's file. */
export function measureSession(path: string): SessionMeasure {
  const decode = lineDecoder();
  let messages = 0;
  let cost = 0;
  for (const bytes of rawLines(path)) {
    const isWhole = bytes[bytes.length - 1] === closingBrace;
    const role = isWhole ? messageHead.exec(bytes.toString('latin1', 0, headBytes))?.[1] : undefined;
    if (role === 'user' && !unsaidTail.test(bytes.toString('latin1', bytes.length - tailBytes))) messages++;
    if (role === 'user' || role === 'toolResult') continue;
    const written = role === 'assistant' ? costIn(bytes) : undefined;
    const line = written === undefined ? decode(bytes) : undefined;
    if (role === 'assistant' || isSaidIn(line)) messages++;
    cost += written ?? (line?.kind === 'entry' ? entryTotals(line.entry).cost : 0);
  }
  return { messages, cost };
}

/** The cost of an answer, from the end of its line. */
function costIn(bytes: Buffer): number | undefined {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - costBytes));
  const total = Number([...tail.matchAll(answerCost)].at(-1)?.[1]);
  return Number.isFinite(total) ? total : undefined;
}

function isSaidIn(line: ReturnType<ReturnType<typeof lineDecoder>>): boolean {
  return line?.kind === 'entry' && line.entry.type === 'message' && isCountedMessage(line.entry.message);
}
