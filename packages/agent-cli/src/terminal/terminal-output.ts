import { type Output, streamOutput } from '@robota-sdk/agent-transport-headless';
import { EscapeFilter } from '@robota-sdk/agent-tui';

/** An output whose texts can't control the terminal behind it; pipes and files get them as they are. */
export function terminalOutput(stream: NodeJS.WriteStream): Output {
  if (!stream.isTTY) return streamOutput(stream);
  const filter = new EscapeFilter();
  const colour = process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb';
  return streamOutput(stream, { clean: (text) => filter.push(text), colour });
}
