import {
  type ContextPart,
  type ContextReport,
  errorMessage,
  type InteractiveSession,
  partName,
  pluralize,
  recacheText,
} from '@robota-sdk/agent-sdk/front-end';
import {
  filterEscapes,
  type InputEvent,
  PartsTable,
  renderKeyHints,
  truncateText,
  wrapText,
} from '@robota-sdk/agent-tui';
import { renderScreenTitle } from '../bars/screen-title.ts';
import { describeTokens } from '../items/describe-count.ts';
import type { OpenPanel, Panel, Stage } from '../stage/stage.ts';
import type { AppStyle, AppToken } from '../theme/app-tokens.ts';
import { ContextChanges } from './context-changes.ts';
import { type ContextRow, renderRows } from './context-rows.ts';
import { openReceiptScreen } from './receipt-screen.ts';

/** Shows what fills the window, and folds, drops, restores and pins it; changes are made only when they are applied. */
export function openContextScreen(stage: Stage, session: InteractiveSession): void {
  const panel: ContextScreen = new ContextScreen(stage, session, () => open.close());
  const open: OpenPanel = stage.openScreen(panel);
}

/** An original that is being read. */
interface Reading {
  readonly title: string;
  readonly lines: (width: number) => readonly string[];
  top: number;
}

class ContextScreen implements Panel {
  rows = 24;
  readonly #stage: Stage;
  readonly #session: InteractiveSession;
  readonly #close: () => void;
  readonly #changes: ContextChanges;
  readonly #report: ContextReport;
  readonly #rows: readonly ContextRow[];
  readonly #turns: number;
  #selected = 0;
  #top = 0;
  #page = 1;
  #reading: Reading | undefined;
  #note = '';
  #isApplying = false;

  constructor(stage: Stage, session: InteractiveSession, close: () => void) {
    this.#stage = stage;
    this.#session = session;
    this.#close = close;
    this.#changes = new ContextChanges(session);
    const { context } = session;
    this.#report = context.report();
    const items = context.items();
    this.#turns = context.turns();
    this.#rows = [
      ...items.map((item) => ({ kind: 'item', item }) as const),
      { kind: 'free' },
      ...context.pins.flatMap((pin) => (pin.messageId === undefined ? [{ kind: 'pin', pin } as const] : [])),
      ...context.receipts.map((receipt, index) => ({ kind: 'receipt', number: index + 1, receipt }) as const),
      ...context.recallable
        .filter(({ messageId }) => !items.some((item) => item.messageId === messageId))
        .map((item) => ({ kind: 'recall', item }) as const),
    ];
    this.#selected = Math.max(
      0,
      this.#rows.findIndex((row) => row.kind === 'item' && row.item.number > 0),
    );
  }

  cancel(): void {
    this.#close();
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release' || this.#isApplying) return false;
    this.#note = '';
    const action = this.#stage.keys.find(event, [
      'tui.select.up',
      'tui.select.down',
      'tui.select.pageUp',
      'tui.select.pageDown',
      'tui.select.confirm',
      'tui.select.cancel',
    ]);
    if (action === 'tui.select.up') this.#move(-1);
    else if (action === 'tui.select.down') this.#move(1);
    else if (action === 'tui.select.pageUp') this.#move(-this.#page);
    else if (action === 'tui.select.pageDown') this.#move(this.#page);
    else if (action === 'tui.select.confirm') this.#read();
    else if (action === 'tui.select.cancel') this.#back();
    else if (!this.#reading) this.#mark(event.id);
    this.#stage.refresh();
    return true;
  }

  render(width: number): readonly string[] {
    return this.#reading ? this.#renderReading(this.#reading, width) : this.#renderList(width);
  }

  #move(by: number): void {
    const reading = this.#reading;
    if (reading) reading.top = Math.max(0, reading.top + by);
    else this.#selected = Math.max(0, Math.min(this.#rows.length - 1, this.#selected + by));
  }

  #back(): void {
    if (this.#reading) this.#reading = undefined;
    else this.#close();
  }

  #mark(key: string): void {
    const row = this.#rows[this.#selected];
    if (key === 'a') void this.#apply();
    if (!row || row.kind === 'free' || row.kind === 'receipt') return;
    if (row.kind === 'pin') {
      if (key === 'p') this.#changes.markUnpin(row.pin);
      return;
    }
    if (row.kind === 'recall') {
      if (key === 'r') this.#changes.markRecall(row.item);
      return;
    }
    const { item } = row;
    const states = { space: 'folded', d: 'dropped', r: 'whole' } as const;
    if (key === 'space' || key === 'd' || key === 'r')
      this.#note = this.#changes.mark(item, states[key]) ?? '';
    if (key === 'p') this.#note = this.#changes.markPin(item) ?? '';
  }

  async #apply(): Promise<void> {
    if (this.#changes.count === 0) {
      this.#note = 'Nothing is marked yet.';
      return;
    }
    this.#isApplying = true;
    try {
      const text = await this.#changes.apply();
      this.#close();
      this.#stage.print({ kind: 'notice', level: 'info', text });
    } catch (thrown) {
      this.#note = errorMessage(thrown);
    } finally {
      this.#isApplying = false;
      this.#stage.refresh();
    }
  }

  #read(): void {
    const row = this.#rows[this.#selected];
    if (!row || this.#reading || row.kind === 'free') return;
    if (row.kind === 'receipt') return this.#openReceipt(row.number);
    if (row.kind === 'pin') return this.#show('Pinned', row.pin.text);
    const { title, messageId } = row.item;
    const text = messageId === undefined ? undefined : this.#session.context.originalText(messageId);
    if (text !== undefined) return this.#show(title, text);
    if (row.kind === 'recall') {
      this.#note = 'The original is read in the history: ctrl+o.';
      return;
    }
    const isFixed = row.item.kind === 'fixed';
    const parts = this.#report.parts.filter(({ kind }) => fixedKinds.has(kind) === isFixed);
    const lines = (width: number) => [
      ...partsTable(parts, this.#report.maxTokens, this.#stage.look).render(width),
      ...(isFixed ? [] : notesOf(this.#report).flatMap((note) => wrapText(note, width))),
    ];
    this.#reading = { title, lines, top: 0 };
  }

  #show(title: string, text: string): void {
    const safe = filterEscapes(this.#session.redact(text));
    this.#reading = {
      title,
      lines: (width) => safe.split('\n').flatMap((line) => wrapText(line, width)),
      top: 0,
    };
  }

  /** There is one whole screen at a time. */
  #openReceipt(number: number): void {
    this.#close();
    const onClose = () => openContextScreen(this.#stage, this.#session);
    openReceiptScreen(this.#stage, this.#session, { number, onClose });
  }

  #renderReading(reading: Reading, width: number): readonly string[] {
    const { look } = this.#stage;
    const lines = reading.lines(width);
    this.#page = Math.max(1, this.rows - 2);
    reading.top = Math.min(reading.top, Math.max(0, lines.length - this.#page));
    const shown = lines.slice(reading.top, reading.top + this.#page);
    const hints = [
      { keys: 'up/down', text: 'scroll' },
      { keys: 'esc', text: 'back' },
    ];
    const title = { title: reading.title, notes: [pluralize(lines.length, 'line')] };
    return [renderScreenTitle(title, width, look), ...shown, renderKeyHints(hints, width, look)];
  }

  #renderList(width: number): readonly string[] {
    const { look } = this.#stage;
    const { usedTokens, maxTokens, lastUsage } = this.#report;
    const percent = Math.min(100, Math.round((usedTokens / Math.max(1, maxTokens)) * 100));
    const whole = lastUsage ? lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite : 0;
    const cached =
      lastUsage && whole > 0 ? [`${Math.round((lastUsage.cacheRead / whole) * 100)}% cached`] : [];
    const size = `${describeTokens(usedTokens)} of ${describeTokens(maxTokens)}`;
    const facts = [`${percent}%`, size, ...cached].join(` ${look.glyphs.separator} `);
    const foot = [...this.#sum(width), this.#foot(width)];
    const rows = renderRows(
      {
        rows: this.#rows,
        selected: this.#selected,
        report: this.#report,
        changes: this.#changes,
        turns: this.#turns,
        look,
      },
      width,
    );
    this.#page = Math.max(1, this.rows - 2 - foot.length);
    this.#top = Math.max(
      Math.min(this.#top, this.#selected, rows.length - 1),
      this.#selected - this.#page + 1,
      0,
    );
    const shown = rows.slice(this.#top, this.#top + this.#page);
    const head = [
      renderScreenTitle({ title: 'Context', notes: [facts] }, width, look),
      this.#bar(percent, width),
    ];
    return [...head, ...shown, ...foot].slice(0, Math.max(1, this.rows));
  }

  #bar(percent: number, width: number): string {
    const { glyphs, paint } = this.#stage.look;
    const { usedTokens, parts } = this.#report;
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
  #sum(width: number): readonly string[] {
    const { count } = this.#changes;
    if (count === 0) return [];
    const { look } = this.#stage;
    const preview = this.#changes.preview();
    const percent = (tokens: number) =>
      `${Math.round((tokens / Math.max(1, this.#report.maxTokens)) * 100)}%`;
    const change = `${percent(preview.tokensBefore)} ${look.glyphs.arrow} ${percent(preview.tokensAfter)}`;
    const saved = preview.tokensBefore - preview.tokensAfter;
    const size = `${saved < 0 ? '+' : look.glyphs.minus}${describeTokens(Math.abs(saved))}`;
    const facts = [`${pluralize(count, 'change')}: ${size}`, change, recacheText(preview)].filter(
      (fact) => fact !== '',
    );
    return [
      look.paint(
        'warning',
        truncateText(facts.join(` ${look.glyphs.separator} `), width, look.glyphs.ellipsis),
      ),
    ];
  }

  #foot(width: number): string {
    const { look } = this.#stage;
    if (this.#note !== '') return truncateText(this.#note, width, look.glyphs.ellipsis);
    const { count } = this.#changes;
    const hints = [
      { keys: 'space', text: 'fold' },
      { keys: 'd', text: 'drop' },
      { keys: 'r', text: 'restore' },
      { keys: 'p', text: 'pin' },
      { keys: 'enter', text: 'read' },
      ...(count === 0
        ? []
        : [{ keys: 'a', text: width < 90 ? `apply ${count}` : `apply ${pluralize(count, 'change')}` }]),
      { keys: 'esc', text: count === 0 ? 'close' : 'discard' },
    ];
    return renderKeyHints(hints, width, look);
  }
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
