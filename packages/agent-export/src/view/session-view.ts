import type { AnswerCut, CallState, Display, JsonValue, OmittedOutput, Usage } from '@robota-sdk/agent-core';

/** A readable session: the source of Markdown and HTML exports. */
export interface SessionView extends SessionHead {
  /** Every branch, in the order of the file; each is made when it is its turn. */
  readonly entries: Iterable<ViewEntry>;
}

/** A view whose entries can also be had one by one. */
export interface IndexedView extends SessionView {
  /** Every entry with the one before it, in the order of the file. */
  readonly places: readonly { readonly id: string; readonly parentId: string | null }[];
  entry(id: string): ViewEntry | undefined;
}

/** The header of a session. Times are Unix milliseconds, 0 if unknown. */
export interface SessionHead {
  readonly id: string;
  /** Its name, else the beginning of the first prompt, else its id. */
  readonly title: string;
  readonly cwd: string;
  readonly created: number;
  readonly modified: number;
  readonly exported: number;
  /** `vendor/id`, in the order of their first answer. */
  readonly models: readonly string[];
  readonly totals: { readonly usage: Usage; readonly cost: number; readonly modelCalls: number };
  /** The end of the active branch. */
  readonly leafId: string | null;
  /** Secrets were looked for and hidden. */
  readonly redacted: boolean;
  /** Problems of the session's file. */
  readonly problems: readonly string[];
}

interface ViewPosition {
  readonly id: string;
  readonly parentId: string | null;
  readonly time: number;
  readonly label?: string;
}

export type ViewEntry = ViewPosition &
  (PromptView | AnswerView | ResultView | ShellView | SummaryView | NoteView | OtherView);

export interface PromptView {
  readonly kind: 'prompt';
  readonly origin?: string;
  readonly blocks: readonly PlainBlock[];
  /** Reminders that went to the model with the prompt. */
  readonly context?: readonly PlainBlock[];
}

export interface AnswerView {
  readonly kind: 'answer';
  readonly model: string;
  readonly usage: Usage;
  readonly cost: number;
  /** Why it ended early. */
  readonly cut?: AnswerCut;
  readonly blocks: readonly AnswerBlock[];
}

export interface ResultView {
  readonly kind: 'result';
  readonly callId: string;
  readonly tool: string;
  readonly state: CallState;
  /** How much it gave, such as `84 lines`. */
  readonly note?: string;
  /** How it ended, such as `failed, exit code 3`; absent where it succeeded or the note says it. */
  readonly end?: string;
  readonly durationMs?: number;
  readonly blocks: readonly PlainBlock[];
  readonly display?: Display;
}

/** A command that the user ran. */
export interface ShellView {
  readonly kind: 'shell';
  readonly command: string;
  readonly output: string;
  readonly omitted?: OmittedOutput;
  readonly state: CallState;
  /** How it ended, such as `failed, exit code 3`; absent where it succeeded. */
  readonly end?: string;
  readonly durationMs?: number;
}

interface SummaryView {
  readonly kind: 'summary';
  /** It tells of a branch that was left, not of what was before. */
  readonly ofBranch?: true;
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
  readonly usage?: Usage;
  readonly cost?: number;
}

/** Nothing is shown for an empty text: the answer before it says the same. */
interface NoteView {
  readonly kind: 'note';
  readonly text: string;
}

/** An entry of a kind without a special form. */
interface OtherView {
  readonly kind: 'other';
  readonly type: string;
  readonly json: JsonValue;
}

export type PlainBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly hidden: boolean }
  | CallBlock
  | { readonly type: 'server-tool'; readonly name: string; readonly summary: string };

export interface CallBlock {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}
