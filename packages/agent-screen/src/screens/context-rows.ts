import {
  type CompactionReceipt,
  type ContextItem,
  type ContextReport,
  describeTokens,
  fateTexts,
  itemState,
  type Pin,
  pluralize,
  type RecallItem,
  recacheText,
} from '@robota-sdk/agent-sdk/front-end';
import { bold, oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { ContextChanges } from './context-changes.ts';
import { compressedText } from './receipt-screen.ts';

/** A row of the context screen. */
export type ContextRow =
  | { readonly kind: 'item'; readonly item: ContextItem }
  | { readonly kind: 'free' }
  | { readonly kind: 'pin'; readonly pin: Pin }
  | { readonly kind: 'receipt'; readonly number: number; readonly receipt: CompactionReceipt }
  | { readonly kind: 'recall'; readonly item: RecallItem };

/** The texts of a row, column by column. */
interface Cells {
  readonly label: string;
  readonly tokens?: number;
  readonly place: string;
  readonly note: string;
  readonly isMarked?: boolean;
}

export interface RowsView {
  readonly rows: readonly ContextRow[];
  readonly report: ContextReport;
  readonly changes: ContextChanges;
  readonly turns: number;
  readonly look: AppStyle;
}

/** The list draws a cursor of this width before each row. */
const cursorWidth = 2;
const numbersWidth = 8 + 6;
const placeWidth = 8;
/** Below this width, the saving of a change has no room beside its place. */
const placedWidth = 70;
const gap = '   ';

/** Draws a row of the context: label, tokens, share, place and note. */
export function renderContextRow(
  row: ContextRow,
  view: RowsView,
  { width, isSelected }: { readonly width: number; readonly isSelected: boolean },
): string {
  const { look, report } = view;
  const { glyphs, paint } = look;
  const cells = cellsOf(row, view, width);
  const labelWidth = Math.max(10, Math.min(44, Math.floor((width + cursorWidth) * 0.34)));
  const label = truncateText(oneLine(cells.label), labelWidth, glyphs.ellipsis);
  const padded = label + ' '.repeat(Math.max(0, labelWidth - textWidth(label)));
  const numbers =
    cells.tokens === undefined
      ? ' '.repeat(numbersWidth)
      : describeTokens(cells.tokens).padStart(8) + shareOf(cells.tokens, report.maxTokens).padStart(6);
  const room = Math.max(0, width - labelWidth - numbersWidth - gap.length);
  const place = width < placedWidth ? '' : cells.place.padEnd(placeWidth) + gap;
  const rest = truncateText((place + oneLine(cells.note)).trimEnd(), room, glyphs.ellipsis);
  if (isSelected) return `${paint('accent', bold(padded))}${numbers}${gap}${rest}`;
  return `${padded}${numbers}${gap}${paint(cells.isMarked ? 'warning' : 'dim', rest)}`.trimEnd();
}

function shareOf(tokens: number, maxTokens: number): string {
  const share = tokens / Math.max(1, maxTokens);
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

function cellsOf(row: ContextRow, view: RowsView, width: number): Cells {
  switch (row.kind) {
    case 'item':
      return itemCells(row.item, view, width);
    case 'free': {
      const { freeTokens, reserveTokens } = view.report;
      const note = `${describeTokens(reserveTokens)} reserved`;
      return {
        label: 'Free',
        tokens: freeTokens,
        place: '',
        note: width < 98 ? note : `${note} for the answer`,
      };
    }
    case 'pin': {
      const isMarked = view.changes.isUnpinned(row.pin);
      return {
        label: row.pin.text.slice(0, 200),
        place: 'pin',
        note: isMarked ? 'unpin' : 'pinned',
        isMarked,
      };
    }
    case 'receipt':
      return { label: `Compaction ${row.number}`, place: '', note: compressedText(row.receipt) };
    case 'recall': {
      const { title, tokens, fate } = row.item;
      const isMarked = view.changes.isRecalled(row.item);
      const note = isMarked
        ? `restore: +${describeTokens(tokens)}`
        : `${fateTexts[fate]}, was ${describeTokens(tokens)}`;
      return { label: title, place: '', note, isMarked };
    }
  }
}

function itemCells(item: ContextItem, view: RowsView, width: number): Cells {
  const { title: label, tokens } = item;
  if (item.kind === 'fixed') return { label, tokens, place: 'always', note: '' };
  if (item.kind === 'conversation')
    return { label, tokens, place: pluralize(view.turns, 'turn'), note: summarizedText(view.rows) };
  const place = item.turn === undefined ? '' : `turn ${item.turn}`;
  const marked = markNote(item, view, width);
  return { label, tokens, place, note: marked ?? itemState(item), isMarked: marked !== undefined };
}

/** How many messages compactions summarized. */
function summarizedText(rows: readonly ContextRow[]): string {
  const items = rows.flatMap((row) => (row.kind === 'receipt' ? row.receipt.items : []));
  const count = items.filter(({ fate }) => fate === 'summarised').length;
  return count === 0 ? '' : `${pluralize(count, 'message')} summarized`;
}

/** The saving of a marked change, and its cost for the cache. */
function markNote(item: ContextItem, { changes, look }: RowsView, width: number): string | undefined {
  const pin = changes.pinOf(item);
  const pinned = pin === undefined ? [] : [pin ? 'pin' : 'unpin'];
  const state = changes.stateOf(item);
  const preview = changes.previewOf(item);
  if (state === undefined || !preview) return pinned[0];
  const verb = { folded: 'fold', dropped: 'drop', whole: 'restore' }[state];
  const change = preview.tokensAfter - preview.tokensBefore;
  const sign = change > 0 ? '+' : look.glyphs.minus;
  const saved = `${verb}: ${sign}${describeTokens(Math.abs(change))}`;
  const recached = recacheText(preview);
  const cost = width < 88 ? priceIn(recached) : recached;
  return [...pinned, saved, cost].filter((part) => part !== '').join(', ');
}

/** The price at the end of a text, which stands in parentheses. */
function priceIn(text: string): string {
  const start = text.lastIndexOf('(');
  return start < 0 ? '' : text.slice(start + 1, -1);
}
