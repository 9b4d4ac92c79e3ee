import type { InputEvent } from '../input/input-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import type { Component } from '../text/component.ts';
import { truncateText } from '../text/truncate-text.ts';

/** How a loader looks, and its callback for changes. */
export interface LoaderOptions {
  readonly message: string;
  /** Called for every picture, so that it is painted. */
  readonly onChange: () => void;
  readonly style?: (text: string) => string;
  /** For terminals without Unicode. */
  readonly isAscii?: boolean;
  /** Without movement there is no timer at all. */
  readonly isStill?: boolean;
}

const pictures = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const asciiPictures = ['|', '/', '-', '\\'];
/** Four pictures a second are enough to show activity. */
const pictureMs = 250;

/** A line that moves while something is awaited. */
export class Loader implements Component {
  readonly #options: LoaderOptions;
  #message: string;
  #picture = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#message = options.message;
  }

  get message(): string {
    return this.#message;
  }

  set message(message: string) {
    if (message === this.#message) return;
    this.#message = message;
    this.#options.onChange();
  }

  /** Begins to move. */
  start(): void {
    if (this.#timer || this.#options.isStill) return;
    this.#timer = setInterval(() => this.#advance(), pictureMs);
    this.#timer.unref();
  }

  /** Stands still; no timer is left. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  render(width: number): readonly string[] {
    const set = this.#options.isAscii ? asciiPictures : pictures;
    const picture = set[this.#picture % set.length] ?? '';
    const style = this.#options.style ?? ((text: string) => text);
    return [truncateText(`${style(picture)} ${this.#message}`, width)];
  }

  #advance(): void {
    this.#picture++;
    this.#options.onChange();
  }
}

/** Options of a {@link CancellableLoader}. */
export interface CancellableLoaderOptions extends LoaderOptions {
  readonly keybindings: Keybindings;
  readonly onAbort?: () => void;
}

/** A loader whose work is given up by the key that leaves a selection. */
export class CancellableLoader extends Loader {
  readonly #controller = new AbortController();
  readonly #options: CancellableLoaderOptions;

  constructor(options: CancellableLoaderOptions) {
    super(options);
    this.#options = options;
  }

  /** Aborted when the user cancels; pass it to the work. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || !this.#options.keybindings.matches(event, 'tui.select.cancel')) return false;
    if (this.signal.aborted) return true;
    this.stop();
    this.#controller.abort();
    this.#options.onAbort?.();
    return true;
  }
}
