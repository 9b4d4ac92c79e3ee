import {
  type ContextPart,
  type ContextReport,
  errorMessage,
  fateTexts,
  type InteractiveSession,
  type Pin,
  partName,
  type RecallItem,
} from '@robota-sdk/agent-sdk/front-end';
import { PartsTable, type SelectItem, truncateText } from '@robota-sdk/agent-tui';
import { describeTokens } from '../items/describe-count.ts';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import type { AppStyle, AppToken } from '../theme/app-tokens.ts';
import { ListPanel } from './list-panel.ts';
import { compressedText, openReceiptScreen } from './receipt-screen.ts';

/** Something of the context that can be switched or opened. */
type Choice =
  | { readonly kind: 'pin'; readonly pin: Pin }
  | { readonly kind: 'recall'; readonly item: RecallItem }
  | { readonly kind: 'receipt'; readonly number: number };

/** Shows what fills the window, what is pinned, and what compactions took out, which can be brought back. */
export function openContextScreen(stage: Stage, session: InteractiveSession): void {
  new ContextScreen(stage, session).open();
}

class ContextScreen {
  readonly #stage: Stage;
  readonly #session: InteractiveSession;
  readonly #panel: ListPanel<string>;
  /** Pins that were taken back here, so that they can be set again. */
  readonly #unpinned = new Map<string, Pin>();
  readonly #recalled = new Set<string>();
  #choices = new Map<string, Choice>();
  #open: OpenPanel | undefined;

  constructor(stage: Stage, session: InteractiveSession) {
    this.#stage = stage;
    this.#session = session;
    this.#panel = new ListPanel<string>({
      stage,
      title: 'Context',
      items: [],
      emptyText: 'Nothing is pinned, and nothing was taken out. /pin TEXT pins a text.',
      hints: [
        { action: 'tui.select.confirm', text: 'switch or open' },
        { action: 'tui.select.cancel', text: 'leave' },
      ],
      head: (width) => this.#head(width),
      onSelect: (key) => void this.#take(key),
      onCancel: () => this.#open?.close(),
    });
  }

  open(): void {
    this.#load();
    this.#open = this.#stage.openScreen(this.#panel);
  }

  #load(): void {
    const { context } = this.#session;
    const pins = [...context.pins, ...this.#unpinned.values()];
    const choices: readonly (readonly [string, Choice])[] = [
      ...pins.map((pin) => [`pin ${pin.id}`, { kind: 'pin', pin }] as const),
      ...context.receipts.map(
        (_, index) => [`receipt ${index}`, { kind: 'receipt', number: index + 1 }] as const,
      ),
      ...context.recallable.map((item) => [`recall ${item.messageId}`, { kind: 'recall', item }] as const),
    ];
    this.#choices = new Map(choices);
    this.#panel.setItems(choices.map(([key, choice]) => this.#item(key, choice)));
  }

  #item(key: string, choice: Choice): SelectItem<string> {
    const { glyphs } = this.#stage.look;
    const box = (isOn: boolean) => (isOn ? glyphs.taskDone : glyphs.taskOpen);
    switch (choice.kind) {
      case 'pin': {
        const isSet = !this.#unpinned.has(choice.pin.id);
        return { value: key, label: `${box(isSet)} ${choice.pin.text.slice(0, 200)}`, group: 'pinned' };
      }
      case 'receipt': {
        const receipt = this.#session.context.receipts[choice.number - 1];
        return {
          value: key,
          label: `compaction ${choice.number}`,
          description: receipt ? compressedText(receipt) : '',
          group: 'compactions',
        };
      }
      case 'recall': {
        const { item } = choice;
        const isBack = this.#recalled.has(item.messageId);
        const state = isBack ? 'brought back' : fateTexts[item.fate];
        return {
          value: key,
          label: `${box(isBack)} ${item.title}`,
          description: `${state}, ~${describeTokens(item.tokens)}`,
          group: 'taken out',
        };
      }
    }
  }

  async #take(key: string): Promise<void> {
    const choice = this.#choices.get(key);
    if (!choice) return;
    if (choice.kind === 'receipt') return this.#openReceipt(choice.number);
    const told = await (choice.kind === 'pin' ? this.#turnPin(choice.pin) : this.#recall(choice.item)).catch(
      errorMessage,
    );
    this.#load();
    this.#panel.select(key);
    this.#panel.tell(told);
  }

  async #turnPin(pin: Pin): Promise<string> {
    const { context } = this.#session;
    const index = context.pins.findIndex(({ id }) => id === pin.id);
    if (index >= 0) {
      await context.unpin(index + 1);
      this.#unpinned.set(pin.id, pin);
      return 'No longer pinned; enter pins it again.';
    }
    this.#unpinned.delete(pin.id);
    await (pin.messageId === undefined ? context.pinText(pin.text) : context.pinMessage(pin.messageId));
    return 'Pinned again.';
  }

  async #recall(item: RecallItem): Promise<string> {
    if (this.#recalled.has(item.messageId)) return 'It is back already.';
    await this.#session.context.recall(item);
    this.#recalled.add(item.messageId);
    return `Brought back for the next prompt: ${item.title}`;
  }

  /** There is one whole screen at a time. */
  #openReceipt(number: number): void {
    this.#open?.close();
    openReceiptScreen(this.#stage, this.#session, { number, onClose: () => this.open() });
  }

  #head(width: number): readonly string[] {
    const { look } = this.#stage;
    const own = this.#session;
    const report = own.context.report();
    const { usedTokens, maxTokens } = report;
    const percent = Math.min(100, Math.round((usedTokens / Math.max(1, maxTokens)) * 100));
    const cut = (text: string) => truncateText(` ${text}`, width, look.glyphs.ellipsis);
    const used = `${percent}% (${describeTokens(usedTokens)}/${describeTokens(maxTokens)}) of ${own.model.name}`;
    return [
      cut(used),
      ...partsTable(report, look)
        .render(Math.max(1, width - 1))
        .map((line) => ` ${line}`),
      ...notesOf(report).map((text) => look.paint('muted', cut(text))),
      '',
    ];
  }
}

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

/** Tools are many and small each, so they stand together. */
function partsTable({ parts, maxTokens }: ContextReport, look: AppStyle) {
  const tools = parts.filter(({ kind }) => kind === 'tool');
  const rest = parts.filter(({ kind }) => kind !== 'tool');
  const joined: ContextPart = {
    kind: 'tool',
    name: `descriptions (${tools.length})`,
    tokens: sum(tools.map((part) => part.tokens)),
    cachedTokens: sum(tools.map((part) => part.cachedTokens)),
  };
  const shown = (tools.length > 0 ? [joined, ...rest] : rest).map((part) => {
    const cached = part.tokens === 0 ? 0 : Math.round((part.cachedTokens / part.tokens) * 100);
    const note = cached === 0 ? {} : { note: `${cached}% cached` };
    return { label: partName(part), amount: part.tokens, token: tokens[part.kind] ?? 'muted', ...note };
  });
  return new PartsTable<AppToken>({ parts: shown, total: maxTokens, format: describeTokens, look });
}

function notesOf({
  isCounted,
  freeTokens,
  reserveTokens,
  lastUsage,
  prefixBreak,
}: ContextReport): readonly string[] {
  const notes = [
    `${describeTokens(freeTokens)} are free, ${describeTokens(reserveTokens)} of them in reserve.${isCounted ? '' : ' The model has not counted it yet; these are estimates.'}`,
  ];
  if (lastUsage) {
    const whole = lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite;
    const share = whole === 0 ? 0 : Math.round((lastUsage.cacheRead / whole) * 100);
    notes.push(`Last request: ${share}% read from cache.`);
  }
  if (prefixBreak)
    notes.push(`The cached beginning last broke because: ${prefixBreak.reason} (${prefixBreak.detail}).`);
  return notes;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
