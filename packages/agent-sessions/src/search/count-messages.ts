import { lineDecoder, rawLines } from './session-lines.ts';

const headBytes = 256;
const closingBrace = 0x7d;

/** As every line of ours begins; others are looked at in full. */
const messageHead =
  /^\{"type":"message","id":"[^"]+","parentId":(?:null|"[^"]*"),"timestamp":"[^"]*","message":\{"role":"(user|assistant|toolResult)"/;

/** How many messages of the person and of models a session's file holds, on all of its branches. */
export function countMessages(path: string): number {
  const decode = lineDecoder();
  let count = 0;
  for (const bytes of rawLines(path)) {
    const isWhole = bytes[bytes.length - 1] === closingBrace;
    const role = isWhole ? messageHead.exec(bytes.toString('latin1', 0, headBytes))?.[1] : undefined;
    if (role === undefined ? isSpoken(decode(bytes)) : role !== 'toolResult') count++;
  }
  return count;
}

function isSpoken(line: ReturnType<ReturnType<typeof lineDecoder>>): boolean {
  return line?.kind === 'entry' && line.entry.type === 'message' && line.entry.message.role !== 'tool';
}
