import { wrapText } from './wrap-text.ts';

/** Wraps a line so that the rest of it stands below its text: below the second column where there are columns. */
export function wrapHanging(line: string, room: number): readonly string[] {
  const lines = wrapText(line, room);
  const first = lines[0]?.trimEnd() ?? '';
  const [lead = ''] = /^\s*(?:\S+(?: \S+)* {2,})?/.exec(line) ?? [];
  const [blank = ''] = /^\s*/.exec(line) ?? [];
  const hang = lead.length > room / 2 ? blank : ' '.repeat(lead.length);
  // A style that is closed at the end of a row has no place in the text any more.
  if (lines.length < 2 || hang === '' || !line.startsWith(first)) return lines;
  const rest = wrapText(line.slice(first.length).trimStart(), Math.max(1, room - hang.length));
  return [first, ...rest.map((part) => hang + part)];
}
