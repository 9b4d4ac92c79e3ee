import { shorten } from '@robota-sdk/agent-sdk/front-end';
import {
  type Capabilities,
  notificationSequence,
  oneLine,
  type Progress,
  progressSequence,
  titleSequence,
} from '@robota-sdk/agent-tui';

/** Services for notifications. */
export interface UserNotifierOptions {
  readonly capabilities: () => Capabilities;
  /** Writes something to the terminal that shows no text there. */
  signal(sequence: string): void;
  /** True if the user wants notifications. */
  isWanted(): boolean;
  /** The title of the window, such as the name of the project. */
  title(): string;
  now?(): number;
}

/** How a run ended. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'aborted' | 'limit';
  /** The first words of the answer, or what went wrong. */
  readonly text: string;
}

/** During a longer run the user probably does something else. */
const longRunMs = 30_000;
const longestText = 200;

/**
 * Notifies a user who looks elsewhere that a run is over or a question waits, and shows activity in the title
 * and the tab.
 */
export class UserNotifier {
  readonly #options: UserNotifierOptions;
  readonly #now: () => number;
  #isFocused = true;
  #begunAt: number | undefined;
  #shownTitle = '';
  #shownProgress: Progress['state'] = 'none';
  #questions = 0;

  constructor(options: UserNotifierOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The terminal got or lost the focus. */
  focus(isFocused: boolean): void {
    this.#isFocused = isFocused;
  }

  /** Writes the title for a program that waits for a prompt. */
  start(): void {
    this.#show();
  }

  runBegins(): void {
    this.#begunAt = this.#now();
    this.#show();
  }

  runEnds({ status, text }: RunEnd): void {
    const isAway = this.#isAway();
    this.#begunAt = undefined;
    this.#show();
    // The user stopped it, so no notification is needed.
    if (status === 'aborted' || !isAway) return;
    this.#notify(status === 'failed' ? `failed: ${text}` : text === '' ? 'done' : text);
  }

  /** A question waits; what it returns is called when that is over. */
  questionWaits(title: string): () => void {
    this.#questions++;
    this.#show();
    if (this.#isAway()) this.#notify(title);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#questions--;
      this.#show();
    };
  }

  /** Takes away what was shown of progress; the terminal gives the title back itself. */
  stop(): void {
    this.#begunAt = undefined;
    this.#questions = 0;
    this.#progress('none');
  }

  #isAway(): boolean {
    const isLong = this.#begunAt !== undefined && this.#now() - this.#begunAt >= longRunMs;
    return !this.#isFocused || isLong;
  }

  #notify(body: string): void {
    if (!this.#options.isWanted()) return;
    const { title, signal, capabilities } = this.#options;
    const notice = { title: `robota ${title()}`.trim(), body: shorten(oneLine(body), longestText) };
    signal(notificationSequence(notice, capabilities()));
  }

  #show(): void {
    const isRunning = this.#begunAt !== undefined;
    const mark = this.#questions > 0 ? '? ' : isRunning ? '* ' : '';
    const title = `${mark}robota ${this.#options.title()}`.trim();
    const { isDumb, program } = this.#options.capabilities();
    // The console of Linux has no title, and prints what it does not know.
    if (title !== this.#shownTitle && !isDumb && program !== 'linux')
      this.#options.signal(titleSequence(title));
    this.#shownTitle = title;
    this.#progress(this.#questions > 0 ? 'paused' : isRunning ? 'indeterminate' : 'none');
  }

  #progress(state: 'none' | 'indeterminate' | 'paused'): void {
    if (state === this.#shownProgress || !this.#options.capabilities().hasProgress) return;
    this.#shownProgress = state;
    this.#options.signal(progressSequence(state === 'paused' ? { state, percent: 100 } : { state }));
  }
}
