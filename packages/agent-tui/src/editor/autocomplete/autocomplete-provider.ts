/** The line with the caret. */
export interface CompletionRequest {
  /** The line up to the caret. */
  readonly before: string;
  /** The line after the caret. */
  readonly after: string;
  /** The line's number, from 0. */
  readonly line: number;
}

/** The part of a line that is being completed. */
export interface CompletionToken {
  /** Columns of the part. */
  readonly start: number;
  readonly end: number;
  /** The text up to the caret that suggestions must match. */
  readonly query: string;
  /** Enter sends the text as typed: no suggestion is selected until the user moves to one. Tab takes the first. */
  readonly mayStay?: boolean;
}

/** A suggestion. */
export interface Completion {
  /** The text that replaces the part. */
  readonly value: string;
  /** Shown instead of the value. */
  readonly label?: string;
  readonly description?: string;
  /** The heading above it; suggestions without one come first. */
  readonly group?: string;
  /** Shown in parentheses after the label. */
  readonly origin?: string;
  /**
   * The step after it is chosen: `submit` sends the text, `open` suggests the next word, `continue` suggests longer
   * values, `write` waits for the user to type more, and `end`, the default, does nothing.
   */
  readonly next?: 'submit' | 'open' | 'continue' | 'write' | 'end';
}

/** Suggests completions for one kind of text. */
export interface AutocompleteProvider {
  /** The part that it completes here, if any. */
  find(request: CompletionRequest): CompletionToken | undefined;
  /** The suggestions. An aborted search may return the results found so far. */
  complete(
    token: CompletionToken,
    signal: AbortSignal,
  ): readonly Completion[] | Promise<readonly Completion[]>;
  /** Suggests only when the user presses the completion key, not while typing. */
  readonly isOnDemand?: boolean;
  /** The pause in typing before it is asked; none by default. */
  readonly delayMs?: number;
}
