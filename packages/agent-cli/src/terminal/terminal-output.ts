import { type Output, streamOutput } from '@robota-sdk/agent-transport-headless';
import { EscapeFilter } from '@robota-sdk/agent-tui';
import { reservedWrite } from './reserved-output.ts';

/** An output whose texts can't control the terminal behind it; pipes and files get them as they are. */
export function terminalOutput(stream: NodeJS.WriteStream): Output {
  const write = stream === process.stdout ? reservedWrite() : undefined;
  const own = write ? { write } : {};
  if (!stream.isTTY) return streamOutput(stream, own);
  const filter = new EscapeFilter();
  const colour = process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb';
  return streamOutput(stream, { ...own, clean: (text) => filter.push(text), colour });
}
