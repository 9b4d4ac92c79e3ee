import type { InteractiveSession, SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, plainText, truncateText } from '@robota-sdk/agent-tui';

/** Milliseconds between two starts of the command. */
const restMs = 1_000;
/** Characters of its output that are used. */
const longestLine = 2_000;

/** Events that come in great numbers and change no figure. */
const passing = /-delta$|^tool-progress$/;

export interface StatusCommandOptions {
  readonly version: string;
  readonly app: {
    /** The editor with the mode of its vim keys, if they are on. */
    readonly editor: { readonly vimMode: string | undefined };
    /** Shows the line after it has changed. */
    refresh(): void;
  };
}

/**
 * The line of the `statusLine` setting. Its command runs after events of the session, at most once a second and never
 * twice at a time; the screen shows the last line and waits for nothing.
 */
export class StatusCommand {
  readonly #options: StatusCommandOptions;
  #session: InteractiveSession | undefined;
  #unsubscribe = () => {};
  #timer: NodeJS.Timeout | undefined;
  #openedAt = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  #isWanted = false;
  #line: string | undefined;
  #vimMode: string | undefined;

  constructor(options: StatusCommandOptions) {
    this.#options = options;
  }

  /** Follows a session in place of an earlier one. */
  follow(session: InteractiveSession): void {
    this.stop();
    this.#session = session;
    this.#openedAt = performance.now();
    this.#unsubscribe = session.subscribe((event: SessionEvent) => {
      if (!passing.test(event.type)) this.#want();
    });
    this.#want();
  }

  /** Runs the command again if the mode of the vim keys has changed. */
  noteMode(): void {
    if (this.#vimMode !== this.#options.app.editor.vimMode) this.#want();
  }

  stop(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#session = undefined;
    this.#line = undefined;
  }

  /** The line, cut to the columns; undefined where the usual one is to be shown. */
  render(columns: number, { isColoured }: { readonly isColoured: boolean }): string | undefined {
    if (this.#line === undefined || this.#line.trim() === '') return undefined;
    const padding = Math.min(
      columns - 1,
      Math.floor(this.#session?.settings?.terminal.statusLine?.padding ?? 1),
    );
    const line = isColoured ? this.#line : plainText(this.#line);
    return ' '.repeat(Math.max(0, padding)) + truncateText(line, Math.max(1, columns - padding));
  }

  #want(): void {
    if (!this.#session?.settings?.terminal.statusLine) return this.#show(undefined);
    this.#isWanted = true;
    if (this.#isRunning || this.#timer !== undefined) return;
    const wait = Math.max(0, this.#startedAt + restMs - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait).unref();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    const session = this.#session;
    if (!session) return;
    this.#isWanted = false;
    this.#isRunning = true;
    this.#startedAt = performance.now();
    this.#vimMode = this.#options.app.editor.vimMode;
    const { runStatusLine } = await import('@robota-sdk/agent-sdk/front-end');
    const openMs = performance.now() - this.#openedAt;
    const vimMode = this.#vimMode?.toUpperCase().replace('-', ' ');
    const line = await runStatusLine(session, { version: this.#options.version, openMs, vimMode });
    this.#isRunning = false;
    if (session !== this.#session) return this.#want();
    this.#show(line);
    if (this.#isWanted) this.#want();
  }

  #show(line: string | undefined): void {
    const shown = line === undefined ? undefined : coloured(line);
    if (shown === this.#line) return;
    this.#line = shown;
    this.#options.app.refresh();
  }
}

/** Colours stay; every other sequence goes. */
function coloured(line: string): string {
  return filterEscapes(line.slice(0, longestLine).replaceAll('\t', ' '), { sequences: 'keep-colours' });
}
