import { element, plainText, renderCall, renderEntry, renderMarkdown } from '@robota-sdk/agent-export/page';
import { clock } from '../base/format.ts';
import type { TranscriptItem } from './transcript-items.ts';

/** A row of the transcript, or the line that stands for entries which are not loaded yet. */
export type Row =
  | TranscriptItem
  | { readonly key: 'earlier'; readonly kind: 'earlier'; readonly count: number };

/** The element of a row. `isRunning` says whether calls without a result still run. */
export function renderRow(row: Row, isRunning: boolean): HTMLElement {
  return element('div', { class: `row row-${row.kind}` }, ...rowNodes(row, isRunning));
}

function rowNodes(row: Row, isRunning: boolean): Node[] {
  switch (row.kind) {
    case 'earlier':
      return [element('p', { class: 'row-line' }, `Earlier: ${row.count.toLocaleString('en')} messages`)];
    case 'prompt':
      return [promptNode(row.entry)];
    case 'text':
      return [renderMarkdown(row.text)];
    case 'thinking':
      return renderEntry(thinkingEntry(row), new Map()).slice(1);
    case 'calls':
      return [
        element(
          'div',
          { class: 'call-group' },
          ...row.calls.map(({ call, result, isLast }) =>
            renderCall(call, result, { isRunning: isRunning && isLast }),
          ),
        ),
      ];
    case 'notes':
      return [notesNode(row.texts)];
    case 'failure':
      return [element('p', { class: 'row-failure' }, row.text)];
    case 'entry':
      return [element('div', { class: `entry-${row.entry.kind}` }, ...renderEntry(row.entry, new Map()))];
  }
}

/** The last of some notes; the others are folded below it. */
function notesNode(texts: readonly string[]): Node {
  const [last = '', ...others] = texts.toReversed().map(plainText);
  if (others.length === 0) return element('p', { class: 'entry-note' }, last);
  const more = ` · ${others.length} more`;
  const lines = others.map((text) => element('p', {}, text));
  return element('details', { class: 'entry-note' }, element('summary', {}, last, more), ...lines);
}

const origins: Readonly<Record<string, string>> = {
  steering: 'Steered · ',
  'follow-up': 'Queued · ',
  command: 'Command · ',
  summary: 'Summary · ',
  pin: 'Pinned · ',
  recall: 'Brought back · ',
};

function promptNode(entry: Extract<Row, { kind: 'prompt' }>['entry']): Node {
  const [, ...nodes] = renderEntry(entry, new Map());
  const time = element(
    'time',
    { datetime: new Date(entry.time).toISOString() },
    `${origins[entry.origin ?? ''] ?? ''}${clock(entry.time)}`,
  );
  return element('div', { class: 'bubble' }, element('div', { class: 'bubble-text' }, ...nodes), time);
}

/** Thinking is drawn as exports draw it, inside an answer without anything else. */
function thinkingEntry(row: Extract<Row, { kind: 'thinking' }>): Parameters<typeof renderEntry>[0] {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  return {
    id: row.key,
    parentId: null,
    time: 0,
    kind: 'answer',
    model: '',
    usage,
    cost: 0,
    blocks: [{ type: 'thinking', text: row.text, hidden: row.hidden }],
  };
}

const lineHeight = 24;
const characters = 90;

/** About as high as a row will be, in pixels. */
export function guessHeight(row: Row): number {
  switch (row.kind) {
    case 'earlier':
      return 56;
    case 'prompt':
      return 64 + textLines(row.entry.blocks.map((block) => ('text' in block ? block.text : '')).join('\n'));
    case 'text':
      return 20 + textLines(row.text);
    case 'calls':
      return 24 + row.calls.length * 37;
    default:
      return 48;
  }
}

function textLines(text: string): number {
  return (
    text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / characters), 0) * lineHeight
  );
}
