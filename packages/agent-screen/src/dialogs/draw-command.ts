import type { AskedCall } from '@robota-sdk/agent-sdk/front-end';
import { bold, type CodePart, codeParts, underline, visibleText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Rows of a command, and which of them must stay in sight. */
export interface CommandRows {
  readonly lines: readonly string[];
  /** The rows with a dangerous part. */
  readonly marked: ReadonlySet<number>;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The languages of interpreters that are named otherwise. */
const languages: Readonly<Record<string, string>> = {
  bun: 'javascript',
  deno: 'typescript',
  node: 'javascript',
  perl: 'perl',
  php: 'php',
  ruby: 'ruby',
};
const markStart = '\x1b[4m';

/** Draws a command in the colours of its shell or interpreter, with its dangerous parts marked. */
export function drawCommand(
  command: string,
  about: Pick<AskedCall, 'dangers' | 'program'>,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): CommandRows {
  const text = visibleText(withoutGaps(command));
  const marks = (about.dangers ?? []).flatMap((danger) => danger.marks).map(visibleText);
  const stretches = marks.flatMap((mark) => stretchesOf(text, mark));
  const lines: string[] = [];
  const marked = new Set<number>();
  let offset = 0;
  for (const parts of partsOf(text, about.program)) {
    const painted = paintLine(parts, { look, stretches, offset });
    offset += parts.reduce((sum, part) => sum + part.text.length, 0) + 1;
    for (const row of wrapText(painted, width)) {
      if (row.includes(markStart)) marked.add(lines.length);
      lines.push(row);
    }
  }
  return { lines, marked };
}

/** A script for an interpreter has the colours of its language between the lines of the shell. */
function partsOf(text: string, program: string | undefined): readonly (readonly CodePart[])[] {
  const [first = '', ...rest] = text.split('\n');
  if (program === undefined || rest.length === 0) return codeParts(text, { language: 'bash' });
  const language = languages[program] ?? (program.startsWith('python') ? 'python' : 'bash');
  const last = rest.pop() ?? '';
  return [
    ...codeParts(first, { language: 'bash' }),
    ...(rest.length === 0 ? [] : codeParts(rest.join('\n'), { language })),
    [{ text: last }],
  ];
}

function paintLine(
  parts: readonly CodePart[],
  { look, stretches, offset }: { look: AppStyle; stretches: readonly Stretch[]; offset: number },
): string {
  let at = offset;
  return parts
    .map((part) => {
      const start = at;
      at += part.text.length;
      const cuts = stretches
        .flatMap((stretch) => [stretch.start, stretch.end])
        .filter((cut) => cut > start && cut < at);
      const edges = [...new Set([start, ...cuts, at])].sort((a, b) => a - b);
      return edges
        .slice(0, -1)
        .map((from, index) => {
          const piece = part.text.slice(from - start, (edges[index + 1] ?? at) - start);
          const isMarked = stretches.some((stretch) => stretch.start <= from && from < stretch.end);
          if (isMarked) return look.paint('dangerBg', look.paint('text', bold(underline(piece))));
          return part.token ? look.paint(part.token, piece) : piece;
        })
        .join('');
    })
    .join('');
}

/** Every place of a mark in a text, whatever blanks are between its words. */
function stretchesOf(text: string, mark: string): readonly Stretch[] {
  const [first = '', ...rest] = mark.split(' ').filter((word) => word !== '');
  const found: Stretch[] = [];
  for (let start = first === '' ? -1 : text.indexOf(first); start >= 0 && found.length < 50; ) {
    const end = endOfWords(text, start + first.length, rest);
    if (end !== undefined) found.push({ start, end });
    start = text.indexOf(first, start + first.length);
  }
  return found;
}

function endOfWords(text: string, from: number, rest: readonly string[]): number | undefined {
  let at = from;
  for (const word of rest) {
    while (at < text.length && /[\s\\]/.test(text.charAt(at)) && !text.startsWith(word, at)) at++;
    if (!text.startsWith(word, at)) return undefined;
    at += word.length;
  }
  return at;
}

/** Blank space that would push what follows out of sight, named instead. */
export function withoutGaps(text: string): string {
  return text
    .replaceAll(/\n(?:[^\S\n]*\n){3,}/g, (gap) => `\n[${gap.split('\n').length - 2} blank lines]\n`)
    .replaceAll(/[^\S\n]{40,}/g, (gap) => ` [${gap.length} spaces] `);
}

/** More rows than these are folded. */
const longestCommand = 12;
const firstRows = 6;
const lastRows = 4;

/** The rows of a long command: the first, the last and every marked one; a line says how many are left out. */
export function foldCommand(
  { lines, marked }: CommandRows,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): { readonly lines: readonly string[]; readonly hidden: number } {
  if (lines.length <= longestCommand) return { lines, hidden: 0 };
  const isKept = (index: number) =>
    index < firstRows || index >= lines.length - lastRows || marked.has(index);
  const rows: string[] = [];
  let hidden = 0;
  let run: string[] = [];
  const close = () => {
    // A fold is never longer than what it hides.
    if (run.length <= 1) rows.push(...run);
    else {
      hidden += run.length;
      const text = `${look.glyphs.ellipsis} ${run.length} more lines`;
      rows.push(look.paint('dim', text.slice(0, width)));
    }
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!isKept(index)) run.push(line);
    else {
      close();
      rows.push(line);
    }
  }
  close();
  return { lines: rows, hidden };
}
