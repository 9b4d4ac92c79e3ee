import type { Item } from '@robota-sdk/agent-sessions';
import {
  adaptToTerminal,
  type Capabilities,
  type CapabilityProbe,
  clipboardSequence,
  type Editor,
  extractCursor,
  type InputEvent,
  type KeyEvent,
  type LiveView,
  oneLine,
  Screen,
  type ScreenSize,
  type Terminal,
  truncateText,
} from '@robota-sdk/agent-tui';
import { backgroundKeyOf, interruptKeyOf } from './bars/interrupt-key.ts';
import { type LoadedFiles, renderHeader, renderLoaded } from './bars/render-header.ts';
import type { TodosView } from './bars/render-todos.ts';
import { renderWorking } from './bars/render-working.ts';
import { draftBelow, lowRows } from './editor/draft-below.ts';
import type { AppKeybindings } from './keys/app-actions.ts';
import type { LiveConversation } from './live/live-conversation.ts';
import type { LiveShell } from './live/live-shell.ts';
import type { Transcript } from './live/transcript.ts';
import type { ScreenGuide } from './stage/screen-guide.ts';
import type { OpenPanel, Panel } from './stage/stage.ts';
import type { AppStyle } from './theme/app-tokens.ts';

/** Something that was entered and waits for its turn. */
export interface WaitingText {
  readonly text: string;
  /** It waits for the end of the run, and not for its next turn. */
  readonly isLater: boolean;
}

export interface AppScreenOptions {
  readonly terminal: Terminal;
  readonly capabilities: Capabilities;
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  readonly isAnimated: boolean;
  readonly guide?: ScreenGuide | undefined;
  /** Called for every key or paste, before it is handled. */
  stroke(): void;
  /** Takes what nothing in sight has taken. */
  input(event: InputEvent): void;
  /** Takes a key that a panel instead of the editor has no use for. */
  behind(event: KeyEvent): void;
  /** The terminal is gone. */
  close(): void;
  /** The terminal told something about itself. */
  adapt(capabilities: Capabilities): void;
  footer(columns: number): string;
  /** The rows of the todo list. */
  todos(view: Omit<TodosView, 'look'>): readonly string[];
  /** Queued input. */
  waiting(): readonly WaitingText[];
  /** True if a command runs that can move to the background. */
  canMove(): boolean;
}

/** The parts of a conversation that are loaded after the first frame was painted. */
export interface ConversationViews {
  readonly transcript: Transcript;
  readonly live: LiveConversation;
}

/** The lines below running work, and what they were drawn for. */
interface LinesBelow extends ScreenSize {
  readonly wave: number;
  readonly tokens: number;
  readonly working: readonly string[];
  readonly bottom: readonly string[];
}

/** Four pictures a second; without movement the seconds are counted. */
const pictureMs = 250;
const secondMs = 1000;
/** Parts of an answer that follow each other this soon flow. */
const flowMs = 100;

/**
 * Paints the program: finished items above, and below them the running ones, the queue, the editor and the
 * footer.
 */
export class AppScreen {
  readonly #options: AppScreenOptions;
  readonly #screen: Screen;
  readonly #panels: Panel[] = [];
  readonly #early: Item[] = [];
  #capabilities: Capabilities;
  #probe: CapabilityProbe | undefined;
  #full: Panel | undefined;
  #conversation: ConversationViews | undefined;
  #editor: Editor | undefined;
  #shell: LiveShell | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #pacing: number | undefined;
  #wave = 0;
  /** Drawn again after a change, not with each part of an answer. */
  #below: LinesBelow | undefined;
  #grewAt = 0;
  /** When a key last went to a screen or a picker. */
  #elsewhereAt = Number.NEGATIVE_INFINITY;

  constructor(options: AppScreenOptions) {
    this.#options = options;
    this.#capabilities = options.capabilities;
    this.#screen = new Screen(options.terminal, {
      reflow: options.capabilities.reflow,
      sizeDelayMs: options.capabilities.sizeDelayMs,
      render: (size) => this.#render(size),
      input: (event) => this.#input(event),
      resumed: () => this.#top?.keysElsewhere?.(performance.now()),
      close: () => options.close(),
    });
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** True if something has the keys instead of the editor. */
  get isAsking(): boolean {
    return this.#top !== undefined;
  }

  /** Paints the first frame, then asks the terminal what it can do. */
  start(editor: Editor): void {
    this.#editor = editor;
    editor.isFocused = true;
    this.#screen.start();
    const { terminal, capabilities } = this.#options;
    this.#probe = adaptToTerminal({
      terminal,
      screen: this.#screen,
      capabilities,
      onChange: (known) => {
        this.#capabilities = known;
        this.#options.adapt(known);
      },
    });
  }

  /** From now on items can be drawn; those that came before are drawn first. */
  converse(conversation: ConversationViews): void {
    this.#conversation = conversation;
    for (const item of this.#early.splice(0)) conversation.transcript.print(item);
  }

  /** The first line of all. */
  printHeader(version: string): void {
    this.#screen.commit(renderHeader(version));
  }

  /** The line below it. */
  printLoaded(loaded: LoadedFiles): void {
    this.#screen.commit(renderLoaded(loaded, this.#options.look));
  }

  print(item: Item): void {
    if (this.#conversation) this.#conversation.transcript.print(item);
    else this.#early.push(item);
  }

  commit(lines: Parameters<Screen['commit']>[0]): void {
    this.#below = undefined;
    this.#screen.commit(lines);
  }

  /** Shows a command of the user while it runs. */
  showShell(shell: LiveShell | undefined): void {
    this.#shell = shell;
    this.refresh();
  }

  /** Something changed: it is painted soon, and pictures move as long as something is waited for. */
  refresh(): void {
    this.#below = undefined;
    this.#tick();
    this.#screen.refresh();
  }

  /** Only running work changed, such as the answer that is being written. */
  refreshLive(): void {
    this.#grewAt = Date.now();
    this.#screen.refresh();
  }

  openPanel(panel: Panel): OpenPanel {
    const covered = this.#top;
    if (covered && !covered.keysElsewhere) panel.keysElsewhere?.(this.#elsewhereAt);
    // A full screen would hide it.
    this.#full?.cancel?.();
    this.#panels.push(panel);
    this.#focus();
    this.refresh();
    return { close: () => this.#closePanel(panel) };
  }

  openScreen(panel: Panel): OpenPanel {
    this.#full = panel;
    this.#screen.openFullScreen((size) => {
      panel.rows = size.rows;
      return extractCursor(panel.render(size.columns).slice(0, size.rows));
    });
    return {
      close: () => {
        if (this.#full !== panel) return;
        this.#full = undefined;
        this.#screen.closeFullScreen();
        this.#top?.keysElsewhere?.(performance.now());
        this.#options.guide?.screenClosed();
      },
    };
  }

  async copy(text: string): Promise<boolean> {
    this.#options.terminal.write(clipboardSequence(text, this.#capabilities));
    const { writeClipboard } = await import('./clipboard/write-clipboard.ts');
    return writeClipboard(text, { platform: process.platform, env: process.env });
  }

  /** Writes a sequence that shows nothing, such as a title. */
  signal(sequence: string): void {
    if (sequence !== '') this.#options.terminal.write(sequence);
  }

  suspend(): void {
    this.#screen.suspend();
  }

  lend<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#screen.lend(work);
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#probe?.stop();
    for (const panel of [...this.#panels, ...(this.#full ? [this.#full] : [])]) panel.cancel?.();
    if (this.#full) this.#screen.closeFullScreen();
    this.#panels.length = 0;
    await this.#screen.stop();
  }

  #closePanel(panel: Panel): void {
    const index = this.#panels.indexOf(panel);
    if (index >= 0) this.#panels.splice(index, 1);
    this.#focus();
    this.refresh();
  }

  #focus(): void {
    const top = this.#panels.at(-1);
    if (this.#editor) this.#editor.isFocused = top === undefined;
    for (const panel of this.#panels) if ('isFocused' in panel) panel.isFocused = panel === top;
  }

  /** The panel that has the keys instead of the editor. */
  get #top(): Panel | undefined {
    return this.#full ?? this.#panels.at(-1);
  }

  #input(event: InputEvent): void {
    if (event.type === 'response') return void this.#probe?.take(event.response);
    if (isStroke(event)) this.#options.stroke();
    if (!this.#full && this.#options.guide?.handleInput(event)) return this.refresh();
    const top = this.#top;
    if (isStroke(event) && top && !top.keysElsewhere) this.#elsewhereAt = performance.now();
    if (top && isPress(event) && this.#options.keys.matches(event, 'app.suspend')) return this.suspend();
    if (top && event.type !== 'focus') {
      const isTaken = top.handleInput?.(event) ?? false;
      const drafted = isTaken ? [] : (top.forDraft?.() ?? []);
      for (const one of drafted) this.#options.input(one);
      const isLeft = !isTaken && drafted.length === 0;
      if (isLeft && !this.#full && isPress(event)) this.#options.behind(event);
      return this.refresh();
    }
    this.#options.input(event);
    this.refresh();
  }

  #render(size: ScreenSize): LiveView {
    const { columns, rows } = size;
    const live = this.#conversation?.live;
    const finished = live?.takeFinished(columns) ?? [];
    const { working, bottom } = this.#linesBelow(size);
    const going = [...(live?.render(columns) ?? []), ...(this.#shell?.render(columns) ?? [])];
    const room = Math.max(0, rows - 1 - bottom.length - working.length);
    // Live content taller than the screen shows its end; the scrollback gets all of it when it is finished.
    const top = going.length > room ? going.slice(going.length - room) : going;
    return { ...extractCursor([...top, ...working, ...bottom]), finished };
  }

  #linesBelow(size: ScreenSize): LinesBelow {
    const { columns, rows } = size;
    const tokens = this.#conversation?.live.writtenTokens ?? 0;
    const known = this.#below;
    const isKnown = known?.columns === columns && known.rows === rows && this.#panels.length === 0;
    if (isKnown && known.wave === this.#wave && known.tokens === tokens) return known;
    const bottom = isKnown ? known.bottom : this.#bottom(size);
    this.#below = { columns, rows, wave: this.#wave, tokens, working: this.#working(size), bottom };
    return this.#below;
  }

  #bottom(size: ScreenSize): readonly string[] {
    const { columns, rows } = size;
    const { guide, look, footer } = this.#options;
    const guiding = guide?.render(columns, look) ?? [];
    const focused = this.#focused({ columns, rows: rows - guiding.length });
    return [...this.#waitingLines(size), ...guiding, ...focused, footer(columns)];
  }

  #focused({ columns, rows }: ScreenSize): readonly string[] {
    const panel = this.#panels.at(-1);
    if (panel) {
      const isLow = rows < lowRows;
      const { look } = this.#options;
      const draft = draftBelow(panel, this.#editor, { columns, rows, look });
      panel.rows = Math.max(3, rows - (isLow ? 2 : 4) - draft.length);
      return [...(isLow ? [] : ['']), ...panel.render(columns).slice(0, panel.rows), ...draft];
    }
    const editor = this.#editor;
    if (!editor) return [];
    editor.maxRows = Math.max(1, Math.min(12, Math.floor(rows / 2) - 2));
    editor.popupRows = Math.max(1, Math.min(8, rows - editor.maxRows - 6));
    return editor.render(columns);
  }

  #waitingLines({ columns, rows }: ScreenSize): readonly string[] {
    const { look } = this.#options;
    if (rows < lowRows && this.#panels.length > 0) return [];
    const { waiting, ellipsis } = look.glyphs;
    return this.#options.waiting().map(({ text, isLater }) => {
      const label = isLater ? 'later' : 'next';
      const line = `${waiting} ${label}: ${oneLine(text.slice(0, 4 * columns))}`;
      return look.paint('muted', truncateText(line, columns, ellipsis));
    });
  }

  #working({ columns, rows }: ScreenSize): readonly string[] {
    const activity = this.#conversation?.live.activity;
    if (this.#panels.length > 0) return [];
    const todos = this.#options.todos({ columns, isLow: rows < lowRows });
    if (!activity) return ['', ...todos];
    const { look, keys, isAnimated } = this.#options;
    const interruptKey = interruptKeyOf(keys);
    const backgroundKey = this.#options.canMove() ? backgroundKeyOf(keys) : undefined;
    const wave = isAnimated && !activity.isParked ? this.#wave : undefined;
    const view = { look, columns, now: Date.now(), wave, interruptKey, backgroundKey };
    return ['', ...todos, renderWorking(activity, view)];
  }

  /** A clock that runs only while something is waited for. */
  #tick(): void {
    const pace = this.#pace();
    if (pace === this.#pacing) return;
    clearInterval(this.#ticking);
    this.#pacing = pace;
    if (pace === undefined) return;
    const advance = () => {
      this.#wave++;
      this.#tick();
      // A flowing answer takes the picture along with its next part.
      if (Date.now() - this.#grewAt >= flowMs) this.#screen.refresh();
    };
    this.#ticking = setInterval(advance, pace).unref();
  }

  /** Milliseconds between two frames; undefined while nothing changes by itself. */
  #pace(): number | undefined {
    const { live } = this.#conversation ?? {};
    if (!live?.isBusy && this.#shell === undefined) return undefined;
    const calm = this.#shell === undefined ? live?.pace : undefined;
    return calm ?? (this.#options.isAnimated ? pictureMs : secondMs);
  }
}

function isStroke(event: InputEvent): boolean {
  return event.type === 'paste' || isPress(event);
}

function isPress(event: InputEvent): event is KeyEvent {
  return event.type === 'key' && event.action !== 'release';
}
