import type { DiffLine } from '@robota-sdk/agent-diff';
import type { DiffText } from '@robota-sdk/agent-export/page';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HunkLine, LineSpan, SplitRow } from './hunk-rows.ts';
import { isInSpan } from './hunk-rows.ts';

/** Rows that are drawn together. Those far from the window are empty boxes of the same height. */
export const chunkRows = 100;
const rowHeight = 20;
/** How far outside of the window rows are drawn. */
const nearby = '600px 0px';

/** True once an element was close to the window; it stays so. */
export function useNearby<E extends Element>(isNow: boolean) {
  const box = useRef<E>(null);
  const [isNear, setNear] = useState(isNow);
  useEffect(() => {
    const element = box.current;
    if (isNear || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setNear(true);
        observer.disconnect();
      },
      { rootMargin: nearby },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isNear]);
  useEffect(() => {
    if (isNow) setNear(true);
  }, [isNow]);
  return { box, isNear: isNear || isNow };
}

export interface RowsProps {
  readonly lines: readonly DiffLine[];
  readonly text: DiffText;
  /** The numbered lines by the index of the diff. */
  readonly numbered: ReadonlyMap<number, HunkLine>;
  readonly rows: readonly SplitRow[];
  readonly isSplit: boolean;
  /** Chosen lines, marked at their numbers. */
  readonly span: LineSpan | undefined;
  readonly isDrawn: boolean;
}

/** Some rows of a hunk, drawn by the renderer that exports use. */
export function DiffRows(props: RowsProps) {
  const { rows, isSplit, text, span, isDrawn } = props;
  const { box, isNear } = useNearby<HTMLDivElement>(isDrawn);
  const marked = span === undefined ? '' : `${span.side} ${span.line} ${span.endLine}`;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !isNear) return;
    element.style.height = '';
    element.replaceChildren(...rows.flatMap((row) => rowElements(row, props)));
  }, [isNear, rows, isSplit, text, marked]);
  useLayoutEffect(() => {
    if (box.current && !isNear) box.current.style.height = `${rows.length * rowHeight}px`;
  }, [isNear, rows.length]);
  return <div ref={box} class={isSplit ? 'review-rows review-split' : 'review-rows'} />;
}

function rowElements({ left, right }: SplitRow, props: RowsProps): HTMLElement[] {
  if (!props.isSplit) return [unifiedRow(left ?? right ?? 0, props)];
  const row = node('div', 'review-pair');
  row.append(half(left, props, 'old'), half(right, props, 'new'));
  return [row];
}

const signs = { added: '+', removed: '−', context: '' } as const;

function unifiedRow(index: number, { numbered, text, span }: RowsProps): HTMLElement {
  const line = numbered.get(index);
  const row = node('div', `review-line ${line?.kind ?? 'context'}`);
  row.dataset.index = String(index);
  if (line && span && isInSpan(line, span)) row.classList.add('chosen');
  row.append(number(line?.old), number(line?.now), sign(line), code(text, index));
  return row;
}

function half(
  index: number | undefined,
  { numbered, text, span }: RowsProps,
  side: 'old' | 'new',
): HTMLElement {
  const line = index === undefined ? undefined : numbered.get(index);
  const row = node('div', `review-line ${line?.kind ?? 'missing'}`);
  if (index === undefined) return row;
  row.dataset.index = String(index);
  if (line && span?.side === side && isInSpan(line, span)) row.classList.add('chosen');
  row.append(number(side === 'old' ? line?.old : line?.now), sign(line), code(text, index));
  return row;
}

function number(value: number | undefined): HTMLElement {
  const made = node('span', 'review-number');
  if (value) made.textContent = String(value);
  return made;
}

/** The sign is seen; its name is spoken. */
function sign(line: HunkLine | undefined): HTMLElement {
  const made = node('span', 'review-sign');
  const text = signs[line?.kind ?? 'context'];
  if (text === '') return made;
  const seen = node('span', '');
  seen.textContent = text;
  seen.setAttribute('aria-hidden', 'true');
  const spoken = node('span', 'spoken');
  spoken.textContent = line?.kind === 'added' ? 'added' : 'removed';
  made.append(seen, spoken);
  return made;
}

function code(text: DiffText, index: number): HTMLElement {
  const made = node('code', 'review-code');
  made.append(...text.nodesOf(index));
  return made;
}

function node(tag: 'div' | 'span' | 'code', name: string): HTMLElement {
  const made = document.createElement(tag);
  if (name !== '') made.className = name;
  return made;
}
