import { homedir } from 'node:os';
import { basename } from 'node:path';
import {
  errorMessage,
  type InteractiveSession,
  type SessionEvent,
  type Settings,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';
import type { Item } from '@robota-sdk/agent-sessions';
import type { Capabilities, InputEvent, KeyEvent, SubmittedText } from '@robota-sdk/agent-tui';
import { AppScreen, type AppScreenOptions, type WaitingText } from './app-screen.ts';
import { AppliedSettings } from './apply-settings.ts';
import { FollowedLocation } from './bars/followed-location.ts';
import { FooterLine } from './bars/footer-line.ts';
import type { FooterState } from './bars/render-footer.ts';
import type { LoadedFiles } from './bars/render-header.ts';
import { renderTodos } from './bars/render-todos.ts';
import { StatusCommand } from './bars/status-command.ts';
import type { DraftState } from './dialogs/answer-guard.ts';
import { UserNotifier } from './dialogs/user-notifier.ts';
import type { AppEditor } from './editor/app-editor.ts';
import { createAppEditor } from './editor/create-app-editor.ts';
import { EnteredTexts, type SessionRequest } from './entered-texts.ts';
import { type ItemFormat, imageView } from './items/item-view.ts';
import type { AppKeybindings } from './keys/app-actions.ts';
import { limitHeapAfter } from './limit-heap.ts';
import type { LiveConversation } from './live/live-conversation.ts';
import { earlyAction, runAction } from './run-action.ts';
import type { OpenPanel, Panel, Stage } from './stage/stage.ts';
import type { AppTheme } from './theme/app-theme.ts';
import type { AppStyle } from './theme/app-tokens.ts';

type ScreenOptions = Pick<AppScreenOptions, 'terminal' | 'capabilities' | 'keys' | 'isAnimated' | 'guide'>;

export interface TuiAppOptions extends ScreenOptions {
  readonly theme: AppTheme;
  readonly cwd: string;
  readonly version: string;
  adviseOn(unknownCommand: string): Promise<string | undefined>;
  switchTo(request: SessionRequest): Promise<void>;
  replay(session: InteractiveSession): Promise<void>;
  exit(): void;
  hangUp(): void;
}

/** How long something is told that need not stay. */
const toldMs = 6000;

/** The program in a terminal: what is typed, what is shown, and the session between them. */
export class TuiApp implements Stage {
  readonly look: AppStyle;
  readonly keys: AppKeybindings;
  readonly theme: AppTheme;
  readonly editor: AppEditor;
  readonly notifier: UserNotifier;
  isNotifying = true;
  isThinkingHidden = true;
  readonly #options: TuiAppOptions;
  readonly #screen: AppScreen;
  readonly #entered: EnteredTexts;
  #session: InteractiveSession | undefined;
  #unsubscribe = () => {};
  /** Prints what the transcript holds back. */
  #flush = () => {};
  #live: LiveConversation | undefined;
  readonly #settings = new AppliedSettings(this);
  readonly #status: StatusCommand;
  #view: ItemFormat['view'] = 'compact';
  readonly #place: FollowedLocation;
  #placed: Promise<void> | undefined;
  #told = '';
  #isToldUntilStroke = false;
  #strokes = 0;
  #typedAt: number | undefined;
  #queuedAt: number | undefined;
  #sent = 0;
  #toldTimer: NodeJS.Timeout | undefined;
  readonly #foot = new FooterLine();
  readonly #home = homedir();

  constructor(options: TuiAppOptions) {
    this.#options = options;
    this.theme = options.theme;
    this.look = options.theme.look;
    this.keys = options.keys;
    this.#place = new FollowedLocation(options.cwd, () => this.refresh());
    this.#status = new StatusCommand({ version: options.version, app: this });
    this.#screen = new AppScreen({
      terminal: options.terminal,
      capabilities: options.capabilities,
      look: this.look,
      keys: options.keys,
      isAnimated: options.isAnimated,
      guide: options.guide,
      stroke: () => this.#stroke(),
      input: (event) => this.#input(event),
      behind: (event) => this.#actBehind(event),
      close: () => options.hangUp(),
      adapt: (known) => options.theme.setCapabilities(known),
      footer: (columns) => this.#footer(columns),
      todos: (view) => renderTodos(this.#session, { ...view, look: this.look }),
      waiting: () => this.waiting,
      canMove: () => (this.#session?.tasks.movable ?? 0) > 0,
    });
    this.#entered = new EnteredTexts({
      stage: this,
      showShell: (shell) => this.#screen.showShell(shell),
      switchTo: (request) => options.switchTo(request),
      replay: (session) => options.replay(session),
      adviseOn: (unknownCommand) => options.adviseOn(unknownCommand),
      exit: () => options.exit(),
      onDone: (text) => options.guide?.entered(text),
    });
    this.editor = createAppEditor(this, {
      cwd: options.cwd,
      onSubmit: (text, parts) => {
        this.#sent++;
        this.enter(text, parts);
      },
      onChange: () => this.#screen.refresh(),
      onFollowUp: (text) => {
        this.#sent++;
        this.#typedAt = undefined;
        this.#session?.followUp([{ type: 'text', text }]);
      },
      canFollowUp: () => this.isRunning,
    });
    this.notifier = new UserNotifier({
      capabilities: () => this.capabilities,
      signal: (sequence) => this.#screen.signal(sequence),
      isWanted: () => this.isNotifying,
      title: () => basename(this.#place.place.cwd),
    });
  }

  get session(): InteractiveSession | undefined {
    return this.#session;
  }

  get format(): ItemFormat {
    return { view: this.#view, cwd: this.#place.place.cwd, home: this.#home };
  }

  get capabilities(): Capabilities {
    return this.#screen.capabilities;
  }

  /** The text in the editor, its time on the clock of `performance.now`. */
  get draft(): DraftState {
    const { isEmpty, isVim, hasMenu } = this.editor;
    const [sent, typedAt, queuedAt] = [this.#sent, this.#typedAt, this.#queuedAt];
    return { isEmpty, typedAt, queuedAt, sent, ownsEscape: isVim || hasMenu, ownsTab: hasMenu };
  }

  /** How many keys were pressed so far, whatever took them. */
  get strokes(): number {
    return this.#strokes;
  }

  get isRunning(): boolean {
    return this.#session?.isExecuting() ?? false;
  }

  /** Queued input: for the next turn, for the end of the run, or for the session. */
  get waiting(): readonly WaitingText[] {
    const queue = this.#session?.queue;
    const soon = (queue?.steering ?? []).map(({ content }) => ({ text: textOf(content), isLater: false }));
    const later = (queue?.followUp ?? []).map(({ content }) => ({ text: textOf(content), isLater: true }));
    return [...soon, ...later, ...this.#entered.waiting.map((text) => ({ text, isLater: false }))];
  }

  get pending(): readonly Item[] {
    return this.#live?.pending ?? [];
  }

  /** Paints the first frame. */
  start(): void {
    this.#screen.start(this.editor);
    this.notifier.start();
    this.#placed = this.#findPlace();
  }

  /** Loads what shows a conversation, and says what and where this is, above everything else. */
  async prepare(): Promise<void> {
    const [{ Transcript }, { LiveConversation }] = await Promise.all([
      import('./live/transcript.ts'),
      import('./live/live-conversation.ts'),
      this.#placed,
    ]);
    const shared = {
      look: this.look,
      isThinkingHidden: () => this.isThinkingHidden,
      redact: (text: string) => this.#session?.redact(text) ?? text,
    };
    const transcript = new Transcript({
      ...shared,
      format: () => this.format,
      images: () => imageView(this.capabilities),
      commit: (lines) => this.#screen.commit(lines),
    });
    const live = new LiveConversation({ ...shared, transcript, session: () => this.#session });
    this.#live = live;
    this.#flush = () => transcript.flush();
    this.#screen.printHeader(this.#options.version);
    this.#screen.converse({ transcript, live });
  }

  /** Shows a session instead of the one before. */
  show(session: InteractiveSession): void {
    this.#unsubscribe();
    this.#session?.unsent.hold([]);
    this.#session = session;
    this.editor.isFirst &&= session.getMessages().length === 0;
    session.watchSettings();
    this.#unsubscribe = session.subscribe((event) => this.#take(event));
    this.#status.follow(session);
    void this.#findPlace();
    this.#entered.goOn();
    this.refresh();
  }

  /** Says what was loaded, below the first line. */
  printLoaded(loaded: LoadedFiles): void {
    this.#screen.printLoaded(loaded);
  }

  /** Shows later items in another view; what is in the scrollback stays as it is. */
  setView(view: ItemFormat['view']): void {
    this.#flush();
    this.#view = view;
  }

  /** Applies the settings of the terminal that differ from those applied before. */
  adopt(after: Settings['terminal']): void {
    this.#settings.apply(after);
  }

  openPanel(panel: Panel): OpenPanel {
    const open = this.#screen.openPanel(panel);
    this.refresh();
    return {
      close: () => {
        open.close();
        this.refresh();
      },
    };
  }

  openScreen(panel: Panel): OpenPanel {
    return this.#screen.openScreen(panel);
  }

  refresh(): void {
    this.#foot.clear();
    this.#screen.refresh();
  }

  print(item: Item): void {
    this.#screen.print(item);
  }

  tell(text: string): void {
    clearTimeout(this.#toldTimer);
    this.#told = text;
    this.#isToldUntilStroke = false;
    if (text !== '') this.#toldTimer = setTimeout(() => this.tell(''), toldMs).unref();
    this.refresh();
  }

  /** Tells what holds for the next key only. */
  tellUntilStroke(text: string): void {
    this.tell(text);
    this.#isToldUntilStroke = true;
  }

  edit(text: string): void {
    this.editor.prependMessage(text);
    this.refresh();
  }

  enter(text: string, parts: SubmittedText = { pasted: [], shown: text }): void {
    this.#typedAt = undefined;
    this.#queuedAt = this.isRunning ? performance.now() : undefined;
    this.editor.isFirst = false;
    // The previous notice is obsolete.
    this.tell('');
    this.#entered.enter({ text, ...parts });
  }

  copy(text: string): Promise<boolean> {
    return this.#screen.copy(text);
  }

  lend<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#screen.lend(work);
  }

  suspend(): void {
    this.#screen.suspend();
  }

  exit(): void {
    this.#options.exit();
  }

  /** Interrupts the run and returns queued input to the editor; returns true if there was any. */
  interrupt(): boolean {
    const isRunning = this.isRunning;
    const isWorking = this.#entered.interrupt();
    const unsent = this.takeBack();
    if (isRunning) this.#live?.interrupt();
    if (isRunning) void this.#session?.abort().catch((thrown: unknown) => this.tell(errorMessage(thrown)));
    return isRunning || isWorking || unsent;
  }

  /** Puts what was queued back into the editor; tells whether there was anything. */
  takeBack(): boolean {
    const queued = (this.#session?.cancelQueue() ?? []).map(textOf);
    const waiting = this.#entered.takeBack();
    for (const { text, pasted } of waiting.toReversed()) this.editor.prepend(text, pasted);
    if (queued.length > 0) this.edit(queued.join('\n'));
    return queued.length + waiting.length > 0;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#status.stop();
    this.#place.stop();
    clearTimeout(this.#toldTimer);
    this.notifier.stop();
    this.theme.close();
    this.#flush();
    await this.#screen.stop();
  }

  #take(event: SessionEvent): void {
    this.#live?.take(event);
    if (event.type === 'settings-change' && this.#session?.settings)
      this.adopt(this.#session.settings.terminal);
    if (event.type === 'run-start') this.notifier.runBegins();
    limitHeapAfter(event.type);
    this.#entered.take(event);
    if (event.type === 'run-end') {
      const { status, text, error } = event.outcome;
      this.notifier.runEnds({ status, text: error?.message ?? text });
    }
    if (event.type === 'run-end' || event.type === 'shell-end') void this.#findPlace();
    // Parts of an answer change nothing but the answer, once it has begun.
    const isPart = event.type.endsWith('-delta') && this.#doing() === this.#foot.doing;
    if (isPart || event.type === 'tool-progress') this.#screen.refreshLive();
    else this.refresh();
  }

  #footer(columns: number): string {
    this.#status.noteMode();
    return this.#foot.render(columns, () => ({
      session: this.#session,
      place: this.#place.place,
      doing: this.#doing(),
      isAsking: this.#screen.isAsking,
      told: this.#told,
      own: this.#status.render(columns, { isColoured: this.capabilities.colours !== 'none' }),
      fields: this.#session?.settings?.terminal.footer,
      view: this.#view,
      look: this.look,
    }));
  }

  #doing(): FooterState['doing'] {
    if (!this.isRunning || this.#screen.isAsking) return undefined;
    if (this.#live?.isWaitingForTools) return 'Working';
    return this.#live?.isAnswering ? 'Answering' : 'Thinking';
  }

  #input(event: InputEvent): void {
    if (event.type === 'focus') return this.notifier.focus(event.isFocused);
    const early = earlyAction(this, event);
    if (early) return void runAction(this, early);
    this.#typedAt = performance.now();
    if (this.editor.handleInput(event) || event.type !== 'key' || event.action === 'release') return;
    void runAction(this, event);
  }

  #stroke(): void {
    this.#strokes++;
    if (this.#isToldUntilStroke) this.tell('');
  }

  /** History and background stay available during a question. */
  #actBehind(event: KeyEvent): void {
    const action = this.keys.find(event, ['app.tools.expand', 'app.background']);
    if (action) void runAction(this, action);
  }

  #findPlace(): Promise<void> {
    return this.#place.look(this.#session?.place.cwd ?? this.#options.cwd);
  }
}
