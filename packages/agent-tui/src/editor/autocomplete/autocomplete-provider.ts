/** Where someone is writing. */
export interface CompletionRequest {
  /** The line up to the caret. */
  readonly before: string;
  /** The rest of the line. */
  readonly behind: string;
  /** The line's number; a command can only stand on the first, 0. */
  readonly line: number;
}

/** The part of a line that is being completed. */
export interface CompletionToken {
  /** Where the part begins and ends in the line. */
  readonly start: number;
  readonly end: number;
  /** What is there up to the caret, of which suggestions are made. */
  readonly query: string;
  /** What is written says enough without it: nothing is selected until somebody goes through the suggestions. */
  readonly mayStay?: boolean;
}

/** Something that a part of a text may become. */
export interface Completion {
  /** What takes the part's place. */
  readonly value: string;
  /** What is shown instead of the value. */
  readonly label?: string;
  readonly description?: string;
  /** The heading it stands under; those without one come first. */
  readonly group?: string;
  /** The plugin it comes from. */
  readonly plugin?: string;
  /**
   * What follows once it is chosen: `submit` sends the text, `open` offers what may come behind a blank, `continue` what
   * may come right behind it, `write` waits for more words, and `end`, which it is unless told, for nothing more.
   */
  readonly next?: 'submit' | 'open' | 'continue' | 'write' | 'end';
  /** Typed to its end it says enough, although something may follow: then the key that chooses sends it. */
  readonly isEnough?: boolean;
}

/** Knows what one kind of text may become. */
export interface AutocompleteProvider {
  /** The part it would complete here, told at once; nothing if it has no say here. */
  find(request: CompletionRequest): CompletionToken | undefined;
  /** What the part may become. An aborted search may return what it found so far. */
  complete(
    token: CompletionToken,
    signal: AbortSignal,
  ): readonly Completion[] | Promise<readonly Completion[]>;
  /** It is asked only by the key for completion, not while somebody types. */
  readonly isOnDemand?: boolean;
  /** How long typing must rest before it is asked; at once unless given. */
  readonly delayMs?: number;
}
