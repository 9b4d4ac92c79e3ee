/** Reply of `GET /api/board`. */
export interface BoardPage {
  /** Newest first. */
  readonly rows: readonly BoardRow[];
  /** Older sessions that are left out. */
  readonly more: number;
  /** Trusted directories in which a session can be started, the most lately used first. */
  readonly directories: readonly string[];
  /** Dollars spent today, and the budget of a day if there is one. */
  readonly today: { readonly cost: number; readonly budget?: number };
}

/** A session or a task of a fleet, as a card of the board. */
export interface BoardRow {
  readonly id: string;
  readonly kind: 'session' | 'task';
  readonly column: 'needs-you' | 'running' | 'to-review' | 'done';
  readonly title: string;
  readonly cwd: string;
  /** Of the directory; absent outside of git. */
  readonly branch?: string;
  /** `vendor/id`. */
  readonly model: string;
  /** In dollars; null where a price is unknown. */
  readonly cost: number | null;
  readonly lastLine: string;
  /** The last line is a command that runs. */
  readonly isCommand?: boolean;
  /** Unix milliseconds. */
  readonly modified: number;
  /** The process that holds the session: this server, another one, or none. */
  readonly holder: 'here' | 'elsewhere' | 'none';
  /** The interface of another process that holds it; `headless` has none. */
  readonly front?: 'terminal' | 'web' | 'headless';
  readonly failed?: boolean;
  /** A task that waits for a worker or a limit, not for the user. */
  readonly waits?: boolean;
  /** Todos of the plan. */
  readonly todos?: { readonly done: number; readonly total: number };
  /** Counts the turns of the run that is under way. */
  readonly turn?: number;
  /** The step of a task that is under way, and the part of all steps that are done, 0 to 1. */
  readonly step?: { readonly name: string; readonly share: number };
  /** US dollars that a task may cost. */
  readonly limit?: number;
  /** Lines added and removed that wait for a review. */
  readonly changes?: { readonly added: number; readonly removed: number; readonly files: number };
  /** Questions that wait for an answer. */
  readonly questions: number;
  /** The first of them: a few words such as `Run command?`, the command or the sentence, and since when. */
  readonly asks?: {
    readonly tag: string;
    readonly text: string;
    /** A command or a path, not a sentence. */
    readonly isCode: boolean;
    /** Unix milliseconds. */
    readonly since: number;
  };
}
