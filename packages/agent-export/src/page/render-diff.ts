import type { DiffLine, FileDiff } from '@robota-sdk/agent-core';
import { countChanges, marksOfLine, type TextRange } from '@robota-sdk/agent-diff';
import { DiffCode, visibleText } from '@robota-sdk/agent-tui';
import { element } from './element.ts';
import { kindOfToken } from './highlight-code.ts';
import { plainText } from './plain-text.ts';

/** The change of a file as the screen shows it: numbers, signs, code in its colours, and changed words marked. */
export function renderDiff(diff: FileDiff): HTMLElement {
  const code = new DiffText(diff.lines, diff.path);
  const numbers = numbersOf(diff.lines);
  const rows = diff.lines.flatMap((line, index) => rowsOf({ line, index, code, numbers }));
  const more = diff.more === undefined ? [] : [noteRow('…', counted(diff.more, 'more line'))];
  return element('pre', { class: 'diff', tabindex: '0' }, ...rows, ...more);
}

/** The code of single lines of a diff. The cost of a line does not depend on how many there are. */
export class DiffText {
  readonly #lines: readonly DiffLine[];
  readonly #code: DiffCode;

  constructor(lines: readonly DiffLine[], path: string | undefined) {
    this.#lines = lines;
    this.#code = new DiffCode(lines, path);
  }

  /** A line in its colours, with its changed words marked. */
  nodesOf(index: number): (Node | string)[] {
    return codeNodes(this.#code.partsOf(index), marksOfLine(this.#lines, index) ?? []);
  }
}

/** The counts of a change, without those of nothing. */
export function renderCounts(diff: Pick<FileDiff, 'lines' | 'added' | 'removed'>): HTMLElement[] {
  const { added, removed } = countChanges(diff);
  return [
    ...(added > 0 ? [element('span', { class: 'count added' }, `+${added}`)] : []),
    ...(removed > 0 ? [element('span', { class: 'count removed' }, `−${removed}`)] : []),
  ];
}

interface Row {
  readonly line: DiffLine;
  readonly index: number;
  readonly code: DiffText;
  readonly numbers: readonly LineNumbers[];
}

/** The numbers of a line in the old and in the new file; undefined where it is missing. */
type LineNumbers = readonly [old: number | undefined, now: number | undefined];

/** Lines have the number of the file they are in; those that stay have that of the new one. */
function numbersOf(lines: readonly DiffLine[]): readonly LineNumbers[] {
  let shift = 0;
  return lines.map(({ kind, line }): LineNumbers => {
    if (kind === 'added') shift += 1;
    if (kind === 'removed') shift -= 1;
    if (kind === 'added') return [undefined, line];
    if (kind === 'removed') return [line, undefined];
    return line === undefined ? [line, line] : [line - shift, line];
  });
}

const signs = { added: '+', removed: '−', context: ' ' } as const;

function rowsOf({ line, index, code, numbers }: Row): HTMLElement[] {
  const { kind, text, hidden } = line;
  const [old, now] = numbers[index] ?? [];
  if (kind === 'gap')
    return [noteRow('⋯', hidden === undefined ? plainText(text) : counted(hidden, 'unchanged line'))];
  const row = element(
    'span',
    { class: `line ${kind}` },
    numberCell(old, 'number old'),
    numberCell(now, 'number'),
    signCell(kind),
    element('span', { class: 'text' }, ...code.nodesOf(index)),
  );
  return line.noNewline ? [row, noteRow('', '⊣ no newline at end of file')] : [row];
}

function numberCell(number: number | undefined, name: string): HTMLElement {
  return element('span', { class: name }, number === undefined ? '' : String(number));
}

/** The sign is seen; its name is spoken. */
function signCell(kind: keyof typeof signs): HTMLElement {
  if (kind === 'context') return element('span', { class: 'sign' }, signs[kind]);
  const seen = element('span', { 'aria-hidden': 'true' }, signs[kind]);
  return element('span', { class: 'sign' }, seen, element('span', { class: 'spoken' }, `${kind} `));
}

function noteRow(number: string, text: string): HTMLElement {
  return element(
    'span',
    { class: 'line gap' },
    element('span', { class: 'number old' }, ''),
    element('span', { class: 'number' }, number),
    element('span', { class: 'sign' }, ' '),
    element('span', { class: 'text' }, text),
  );
}

/** Code in its colours; a part that a changed word cuts becomes several. */
function codeNodes(parts: ReturnType<DiffCode['partsOf']>, marks: readonly TextRange[]): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  let position = 0;
  // The first half of a character that a word or a colour begins in.
  let half = '';
  for (const { text, token } of parts) {
    const kind = kindOfToken(token);
    for (const { start, end, isMarked } of cutAt(marks, position, position + text.length)) {
      const whole = half + text.slice(start - position, end - position);
      half = /[\ud800-\udbff]$/.test(whole) && end < length ? whole.slice(-1) : '';
      const shown = visibleText((half === '' ? whole : whole.slice(0, -1)).replace(/\r$/, ''));
      const names = [kind === 'plain' ? '' : `code-${kind}`, isMarked ? 'word' : ''].filter(Boolean);
      nodes.push(names.length === 0 ? shown : element('span', { class: names.join(' ') }, shown));
    }
    position += text.length;
  }
  return nodes;
}

/** A stretch of text, cut where marks begin and end. */
function cutAt(
  marks: readonly TextRange[],
  from: number,
  to: number,
): (TextRange & { readonly isMarked: boolean })[] {
  const edges = marks.flatMap(({ start, end }) => [start, end]).filter((edge) => edge > from && edge < to);
  const starts = [from, ...edges];
  return starts.flatMap((start, index) => {
    const isMarked = marks.some((mark) => start >= mark.start && start < mark.end);
    const end = starts[index + 1] ?? to;
    return end > start ? [{ start, end, isMarked }] : [];
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
