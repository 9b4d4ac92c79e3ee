/** A part of a template: a text that may contain variables, or a shell command to be replaced by its output. */
export type TemplateSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'shell'; readonly command: string };

/**
 * Finds the shell commands of a template: `` !`command` `` in a line, and blocks that open with ```` ```! ````. Other
 * code blocks, and spans that show the syntax, are text.
 */
export function templateSegments(template: string): TemplateSegment[] {
  if (!/!`|[`~]{3}!/.test(template)) return [{ kind: 'text', text: template }];
  const lines = template.split(/(?<=\n)/);
  const segments: TemplateSegment[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const end = fenceEnd(lines, index);
    if (end === undefined) {
      segments.push(...inlineSegments(line));
      continue;
    }
    segments.push(...blockSegments(lines.slice(index, end + 1)));
    index = end;
  }
  return segments;
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)/;

/** The line that closes the block opened in a line, or the last one; undefined if none is opened. */
function fenceEnd(lines: readonly string[], start: number): number | undefined {
  const [, mark, info = ''] = fence.exec(lines[start] ?? '') ?? [];
  if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
  const end = lines.findIndex((line, index) => {
    const [, closing, rest = ''] = index > start ? (fence.exec(line) ?? []) : [];
    return closing?.startsWith(mark) === true && rest.trim() === '';
  });
  return end === -1 ? lines.length - 1 : end;
}

function blockSegments(lines: readonly string[]): TemplateSegment[] {
  const [, , info = ''] = fence.exec(lines[0] ?? '') ?? [];
  const last = lines.at(-1) ?? '';
  const isClosed = lines.length > 1 && fence.test(last);
  const command = lines.slice(1, -1).join('').trim();
  if (info.trim() !== '!' || !isClosed || command === '') return [{ kind: 'text', text: lines.join('') }];
  const lineEnd = /\r?\n$/.exec(last)?.[0] ?? '';
  return [
    { kind: 'shell', command },
    { kind: 'text', text: lineEnd },
  ];
}

/** Several backticks, which start or end a span, or a command that follows neither a word nor a backtick. */
const inline = /(?<!`)(`{2,})|(\\?)(?<![\w`])!`([^`\n]+)`/g;

function inlineSegments(line: string): TemplateSegment[] {
  const segments: TemplateSegment[] = [];
  const spanEnd = spanEnds(line);
  let start = 0;
  let inSpanUntil = 0;
  for (const match of line.matchAll(inline)) {
    const [all, run, backslash, command = ''] = match;
    if (match.index < inSpanUntil) continue;
    if (run !== undefined) inSpanUntil = spanEnd(match.index, run.length);
    if (backslash === undefined || command.trim() === '') continue;
    segments.push({ kind: 'text', text: line.slice(start, match.index) });
    start = match.index + all.length;
    if (backslash === '\\') segments.push({ kind: 'text', text: all.slice(1) });
    else segments.push({ kind: 'shell', command: command.trim() });
  }
  return [...segments, { kind: 'text', text: line.slice(start) }];
}

/** Finds the end of a span by its start and its number of backticks; without one, the end of those backticks. */
function spanEnds(line: string): (start: number, length: number) => number {
  const runs = [...line.matchAll(/(?<!`)`{2,}/g)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const lastOf = new Map(runs.map(({ index, length }) => [length, index]));
  let at = 0;
  return (start, length) => {
    if ((lastOf.get(length) ?? -1) <= start) return start + length;
    while ((runs[at]?.index ?? line.length) <= start || runs[at]?.length !== length) at++;
    return (runs[at]?.index ?? start) + length;
  };
}
