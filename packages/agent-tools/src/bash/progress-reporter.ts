const interval = 100;
const longestReport = 4000;

/** Reports output as it comes, a few times a second and in limited pieces, however fast it is printed. */
export class ProgressReporter {
  readonly #report: (text: string) => void;
  readonly #pending: () => string;
  #finished = '';
  #shown = '';
  #timer: NodeJS.Timeout | undefined;

  /** `pending` returns the current unfinished line. */
  constructor(report: (text: string) => void, pending: () => string) {
    this.#report = report;
    this.#pending = pending;
  }

  /** Adds completed lines, or none if only the unfinished line changed. */
  add(finished: string): void {
    this.#finished = (this.#finished + finished).slice(-2 * longestReport);
    this.#timer ??= setTimeout(() => this.#flush(), interval);
  }

  /** Reports the rest and stops. */
  end(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    const pending = this.#pending();
    const text = continuation(this.#shown, this.#finished + pending);
    this.#finished = '';
    this.#shown = pending;
    if (text !== '') this.#report(text.length > longestReport ? `…\n${text.slice(-longestReport)}` : text);
  }
}

/**
 * The text to append so that the unfinished line `shown` becomes `text`; a rewritten line is repeated below.
 */
function continuation(shown: string, text: string): string {
  if (text.startsWith(shown)) return text.slice(shown.length);
  return `\n${text}`;
}
