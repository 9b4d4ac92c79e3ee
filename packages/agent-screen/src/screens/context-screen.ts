import {
  type ContextPart,
  type ContextReport,
  describeTokens,
  errorMessage,
  type InteractiveSession,
  partName,
  pluralize,
  recacheText,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, PartsTable, truncateText, wrapText } from '@robota-sdk/agent-tui';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import type { AppStyle, AppToken } from '../theme/app-tokens.ts';
import { ContextChanges } from './context-changes.ts';
import { type ContextRow, renderContextRow } from './context-rows.ts';
import { openReceiptScreen } from './receipt-screen.ts';
import { RuledList } from './ruled-list.ts';

/** Shows what fills the window, and folds, drops, restores and pins it; changes are made only when they are applied. */
export function openContextScreen(stage: Stage, session: InteractiveSession): void {
  const { context } = session;
  const { look } = stage;
  const report = context.report();
  const changes = new ContextChanges(session);
  const rows = rowsOf(session);
  const view = { rows, report, changes, turns: context.turns(), look };
  let isApplying = false;
  const close = () => open.close();
  const list = new RuledList<ContextRow>({
    stage,
    title: 'Context',
    note: () => factsOf(report, look),
    head: (width) => [renderBar(report, width, look)],
    rows: () => rows,
    keyOf: (row) => String(rows.indexOf(row)),
    render: (row, size) => renderContextRow(row, view, size),
    foot: (width) => renderSum(changes, { report, look }, width),
    hints: (_, width) => hintsFor(changes.count, width),
    onKey: ({ id: key }, row) => {
      if (isApplying) return;
      if (key === 'a') void apply();
      else if (row) list.lastLine.tell(markRow(row, key, changes) ?? '');
    },
    onSelect: (row) => {
      if (!isApplying) readRow(row, { list, stage, session, report });
    },
    onClose: () => {
      if (!isApplying) close();
    },
  });
  const first = rows.findIndex((row) => row.kind === 'item' && row.item.number > 0);
  list.select(String(Math.max(0, first)));
  const open: OpenPanel = stage.openScreen(list);

  const apply = async () => {
    if (changes.count === 0) return list.lastLine.tell('Nothing is marked yet.');
    isApplying = true;
    try {
      const text = await changes.apply();
      close();
      stage.print({ kind: 'notice', level: 'info', text });
    } catch (thrown) {
      list.lastLine.tell(errorMessage(thrown));
    } finally {
      isApplying = false;
    }
  };
}

interface ContextReader {
  readonly list: RuledList<ContextRow>;
  readonly stage: Stage;
  readonly session: InteractiveSession;
  readonly report: ContextReport;
}

/** Shows the original of a row, or what makes it up. */
function readRow(row: ContextRow, { list, stage, session, report }: ContextReader): void {
  const show = (title: string, lines: (width: number) => readonly string[]) =>
    list.read({ title, note: (count) => pluralize(count, 'line'), lines, isFollowed: false });
  const showText = (title: string, text: string) => {
    const safe = filterEscapes(session.redact(text));
    show(title, (width) => safe.split('\n').flatMap((line) => wrapText(line, width)));
  };
  if (row.kind === 'free') return;
  if (row.kind === 'receipt') {
    // There is one whole screen at a time.
    list.cancel();
    const onClose = () => openContextScreen(stage, session);
    openReceiptScreen(stage, session, { number: row.number, onClose });
    return;
  }
  if (row.kind === 'pin') return showText('Pinned', row.pin.text);
  const { title, messageId } = row.item;
  const text = messageId === undefined ? undefined : session.context.originalText(messageId);
  if (text !== undefined) return showText(title, text);
  if (row.kind === 'recall') return list.lastLine.tell('Read the original in the history (ctrl+o).');
  const isFixed = row.item.kind === 'fixed';
  const parts = report.parts.filter(({ kind }) => fixedKinds.has(kind) === isFixed);
  show(title, (width) => [
    ...partsTable(parts, report.maxTokens, stage.look).render(width),
    ...(isFixed ? [] : notesOf(report).flatMap((note) => wrapText(note, width))),
  ]);
}

function rowsOf({ context }: InteractiveSession): readonly ContextRow[] {
  const items = context.items();
  return [
    ...items.map((item) => ({ kind: 'item', item }) as const),
    { kind: 'free' },
    ...context.pins.flatMap((pin) => (pin.messageId === undefined ? [{ kind: 'pin', pin } as const] : [])),
    ...context.receipts.map((receipt, index) => ({ kind: 'receipt', number: index + 1, receipt }) as const),
    ...context.recallable
      .filter(({ messageId }) => !items.some((item) => item.messageId === messageId))
      .map((item) => ({ kind: 'recall', item }) as const),
  ];
}

/** Marks a change of a row by its key; returns why it is not possible, if so. */
function markRow(row: ContextRow, key: string, changes: ContextChanges): string | undefined {
  if (row.kind === 'pin' && key === 'p') changes.markUnpin(row.pin);
  if (row.kind === 'recall' && key === 'r') changes.markRecall(row.item);
  if (row.kind !== 'item') return undefined;
  const states = { space: 'folded', d: 'dropped', r: 'whole' } as const;
  if (key === 'space' || key === 'd' || key === 'r') return changes.mark(row.item, states[key]);
  return key === 'p' ? changes.markPin(row.item) : undefined;
}

function percentOf(tokens: number, { maxTokens }: ContextReport): number {
  return Math.round((tokens / Math.max(1, maxTokens)) * 100);
}

/** `32% · 64k of 200k · 90% cached`. */
function factsOf(report: ContextReport, { glyphs }: AppStyle): string {
  const { usedTokens, maxTokens, lastUsage } = report;
  const whole = lastUsage ? lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite : 0;
  const cached = lastUsage && whole > 0 ? [`${Math.round((lastUsage.cacheRead / whole) * 100)}% cached`] : [];
  const size = `${describeTokens(usedTokens)} of ${describeTokens(maxTokens)}`;
  return [`${Math.min(100, percentOf(usedTokens, report))}%`, size, ...cached].join(` ${glyphs.separator} `);
}

function renderBar(report: ContextReport, width: number, { glyphs, paint }: AppStyle): string {
  const { usedTokens, parts } = report;
  const percent = Math.min(100, percentOf(usedTokens, report));
  const used = Math.min(width, Math.round((percent / 100) * width));
  const inCache = parts.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0);
  const cached = Math.min(used, Math.round((inCache / Math.max(1, usedTokens)) * used));
  const token = percent >= 90 ? 'error' : percent >= 70 ? 'warning' : 'accent';
  return (
    paint('muted', glyphs.barThin.repeat(cached)) +
    paint(token, glyphs.barThin.repeat(used - cached)) +
    paint('border', glyphs.horizontal.repeat(width - used))
  );
}

/** All marked changes together; the first changed message decides what has to be cached again. */
function renderSum(
  changes: ContextChanges,
  { report, look }: { readonly report: ContextReport; readonly look: AppStyle },
  width: number,
): readonly string[] {
  const { count } = changes;
  if (count === 0) return [];
  const { glyphs } = look;
  const preview = changes.preview();
  const { tokensBefore, tokensAfter } = preview;
  const change = `${percentOf(tokensBefore, report)}% ${glyphs.arrow} ${percentOf(tokensAfter, report)}%`;
  const saved = tokensBefore - tokensAfter;
  const size = `${saved < 0 ? '+' : glyphs.minus}${describeTokens(Math.abs(saved))}`;
  // Pins change nothing at once.
  const sizes =
    saved === 0 ? [pluralize(count, 'change')] : [`${pluralize(count, 'change')}: ${size}`, change];
  const facts = [...sizes, recacheText(preview)].filter(Boolean);
  return [look.paint('warning', truncateText(facts.join(` ${glyphs.separator} `), width, glyphs.ellipsis))];
}

function hintsFor(count: number, width: number) {
  return [
    { keys: 'space', text: 'fold' },
    { keys: 'd', text: 'drop' },
    { keys: 'r', text: 'restore' },
    { keys: 'p', text: 'pin' },
    { keys: 'enter', text: 'read' },
    ...(count === 0
      ? []
      : [
          {
            keys: 'a',
            text: width < 90 ? `apply ${count}` : `apply ${pluralize(count, 'change')}`,
            isKept: true,
          },
        ]),
    { keys: 'esc', text: count === 0 ? 'close' : 'discard' },
  ];
}

const fixedKinds: ReadonlySet<ContextPart['kind']> = new Set(['tool', 'system', 'instructions']);

const tokens: Readonly<Partial<Record<ContextPart['kind'], AppToken>>> = {
  tool: 'muted',
  system: 'accent',
  instructions: 'accent',
  summary: 'warning',
  pins: 'warning',
  prompts: 'success',
  answers: 'mdHeading',
  thinking: 'thinkingText',
  'tool-calls': 'toolTitle',
  'tool-results': 'mdCode',
};

function partsTable(parts: readonly ContextPart[], total: number, look: AppStyle): PartsTable<AppToken> {
  const shown = parts.map((part) => {
    const cached = part.tokens === 0 ? 0 : Math.round((part.cachedTokens / part.tokens) * 100);
    const note = cached === 0 ? {} : { note: `${cached}% cached` };
    return { label: partName(part), amount: part.tokens, token: tokens[part.kind] ?? 'muted', ...note };
  });
  return new PartsTable<AppToken>({ parts: shown, total, format: describeTokens, look });
}

function notesOf({ isCounted, prefixBreak }: ContextReport): readonly string[] {
  return [
    ...(isCounted ? [] : ['The model has not counted it yet; these are estimates.']),
    ...(prefixBreak
      ? [`The cached beginning last broke because: ${prefixBreak.reason} (${prefixBreak.detail}).`]
      : []),
  ];
}
