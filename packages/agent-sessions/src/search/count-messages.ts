import { isSaid } from '../entry/is-said.ts';
import { lineDecoder, rawLines } from './session-lines.ts';

const headBytes = 256;
const tailBytes = 64;
const closingBrace = 0x7d;

/** As every line of ours begins; others are looked at in full. */
const messageHead =
  /^\{"type":"message","id":"[^"]+","parentId":(?:null|"[^"]*"),"timestamp":"[^"]*","message":\{"role":"(user|assistant|toolResult)"/;

/** As a message of ours ends that nobody said: a reminder, or a summary that stands for others. */
const unsaidTail = /"origin":"(?:reminder|summary)"[^"]*$/;

/** How many messages of the person and of models a session's file holds, on all of its branches. */
export function countMessages(path: string): number {
  const decode = lineDecoder();
  let count = 0;
  for (const bytes of rawLines(path)) {
    const isWhole = bytes[bytes.length - 1] === closingBrace;
    const role = isWhole ? messageHead.exec(bytes.toString('latin1', 0, headBytes))?.[1] : undefined;
    if (role === undefined ? isSaidIn(decode(bytes)) : role === 'assistant') count++;
    if (role === 'user' && !unsaidTail.test(bytes.toString('latin1', bytes.length - tailBytes))) count++;
  }
  return count;
}

function isSaidIn(line: ReturnType<ReturnType<typeof lineDecoder>>): boolean {
  return line?.kind === 'entry' && line.entry.type === 'message' && isSaid(line.entry.message);
}
