import type { InputEvent } from '../input/input-event.ts';
import type { Keybindings } from '../keys/keybindings.ts';
import { Loader, type LoaderOptions } from './loader.ts';

/** What a loader needs that can be left. */
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

  /** Aborted when the person gives up; for the work that is awaited. */
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
