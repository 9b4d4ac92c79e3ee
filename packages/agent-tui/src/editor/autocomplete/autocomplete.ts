import type { KeyEvent } from '../../keys/key-event.ts';
import type { Keybindings } from '../../keys/keybindings.ts';
import type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './autocomplete-provider.ts';
import {
  type CompletionPopup,
  moveSelection,
  narrowPopup,
  openPopup,
  pageSelection,
} from './completion-popup.ts';

/** Options of an {@link Autocomplete}. */
export interface AutocompleteOptions {
  /** The first one that finds a part to complete is asked. */
  readonly providers: readonly AutocompleteProvider[];
  /** Called when suggestions arrived or went, so that they are painted. */
  readonly onChange: () => void;
  /** The time limit of a search, two seconds by default. */
  readonly timeoutMs?: number;
}

const searchLimitMs = 2000;
const popupActions = [
  'tui.select.up',
  'tui.select.down',
  'tui.select.pageUp',
  'tui.select.pageDown',
  'tui.select.cancel',
] as const;

/**
 * Asks for suggestions while one types: typing never waits for them, a newer question aborts the one before, and an
 * answer to an older one is never shown.
 */
export class Autocomplete {
  readonly #options: AutocompleteOptions;
  #popup: CompletionPopup | undefined;
  #search: { readonly abort: AbortController; readonly timers: NodeJS.Timeout[] } | undefined;
  /** The start of the part that suggestions were closed for; they stay away until another part is written. */
  #closedAt: number | undefined;
  /** The provider that was asked last by the key for completion. */
  #demanded: AutocompleteProvider | undefined;

  constructor(options: AutocompleteOptions) {
    this.#options = options;
  }

  get popup(): CompletionPopup | undefined {
    return this.#popup;
  }

  /** True if suggestions are on their way. */
  get isSearching(): boolean {
    return this.#search !== undefined;
  }

  /** Moves the selection or closes the popup. Returns whether it used the key. */
  handleKey(event: KeyEvent, keybindings: Keybindings, pageSize: number): boolean {
    const popup = this.#popup;
    const action = popup && keybindings.find(event, popupActions);
    if (!popup || !action) return false;
    if (action === 'tui.select.cancel') {
      this.close();
    } else if (action === 'tui.select.up') this.#popup = moveSelection(popup, -1);
    else if (action === 'tui.select.down') this.#popup = moveSelection(popup, 1);
    else this.#popup = pageSelection(popup, action === 'tui.select.pageUp' ? -pageSize : pageSize);
    this.#options.onChange();
    return true;
  }

  /** Looks for what may be completed after the text changed; `isAsked` brings back what was closed. */
  update(request: CompletionRequest, { isAsked = false } = {}): void {
    this.#stop();
    const found = this.#find(request, isAsked);
    if (!found) return this.#leave();
    if (isAsked) {
      this.#closedAt = undefined;
      this.#demanded = found.provider;
    }
    if (this.#closedAt === found.token.start) return;
    this.#closedAt = undefined;
    this.#popup = this.#popup && narrowPopup(this.#popup, found.token);
    this.#begin(found.provider, found.token);
  }

  /** After the caret moved: what no longer belongs to it goes. */
  follow(request: CompletionRequest): void {
    if (this.#popup && this.#find(request, false)?.token.start !== this.#popup.token.start) this.#leave();
    else if (this.#popup) this.update(request);
    else this.#stop();
  }

  /** Closes, and stays closed until another part is written. */
  close(): void {
    this.#closedAt = this.#popup?.token.start;
    this.#popup = undefined;
    this.#demanded = undefined;
    this.#stop();
  }

  /** Closes for a text that is gone. */
  reset(): void {
    this.#stop();
    this.#leave();
  }

  #leave(): void {
    this.#popup = undefined;
    this.#closedAt = undefined;
    this.#demanded = undefined;
  }

  #find(
    request: CompletionRequest,
    isAsked: boolean,
  ): { readonly provider: AutocompleteProvider; readonly token: CompletionToken } | undefined {
    for (const provider of this.#options.providers) {
      if (provider.isOnDemand && !isAsked && this.#demanded !== provider) continue;
      const token = provider.find(request);
      if (token) return { provider, token };
    }
    return undefined;
  }

  #begin(provider: AutocompleteProvider, token: CompletionToken): void {
    const abort = new AbortController();
    const search = { abort, timers: [] as NodeJS.Timeout[] };
    this.#search = search;
    const ask = () => {
      const answer = answerOf(provider, token, abort.signal);
      // An answer that is there at once is on the screen before the next key is read.
      if (!(answer instanceof Promise)) return this.#show(token, answer);
      search.timers.push(timer(() => abort.abort(), this.#options.timeoutMs ?? searchLimitMs));
      const isCurrent = () => this.#search === search;
      void answer.then(
        (items) => isCurrent() && this.#show(token, items),
        () => isCurrent() && this.#show(token, []),
      );
    };
    if (provider.delayMs === undefined) ask();
    else search.timers.push(timer(ask, provider.delayMs));
  }

  #show(token: CompletionToken, items: readonly Completion[]): void {
    const selected = this.#popup?.items[this.#popup.selected]?.value;
    this.#stop();
    this.#popup = openPopup(token, items);
    const kept = this.#popup?.items.findIndex(({ value }) => value === selected) ?? -1;
    if (this.#popup && kept > 0) this.#popup = { ...this.#popup, selected: kept };
    this.#options.onChange();
  }

  #stop(): void {
    for (const timer of this.#search?.timers ?? []) clearTimeout(timer);
    const search = this.#search;
    this.#search = undefined;
    search?.abort.abort();
  }
}

/** A timer that keeps no program from ending. */
function timer(listener: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(listener, milliseconds).unref();
}

/** A search that fails has found nothing. */
function answerOf(
  provider: AutocompleteProvider,
  token: CompletionToken,
  signal: AbortSignal,
): ReturnType<AutocompleteProvider['complete']> {
  try {
    return provider.complete(token, signal);
  } catch {
    return [];
  }
}
