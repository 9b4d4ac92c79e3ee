import type { DiffLine } from '@robota-sdk/agent-diff';
import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** The sessions of the server, for routes that change one. */
export interface ReviewSessions {
  /** The process that holds a session: this server, another one, or none. */
  holder(id: string): Promise<'here' | 'elsewhere' | 'none'>;
  /** The session if it is open in this server already. */
  peek(id: string): InteractiveSession | undefined;
  /** Opens it here unless it is open; throws `session-in-use` if another process holds it. */
  open(id: string): Promise<InteractiveSession>;
  /** Sends a prompt as the page does: at once, or queued behind the run that is under way. */
  prompt(id: string, text: string): Promise<void>;
}

/** The changes of a session, a task or a worktree, with what was decided about them. */
export interface ReviewReply {
  /** The id of the session that keeps drafts and decisions; absent if a task has none on this machine. */
  readonly session?: string;
  /** The title of the session or the task. */
  readonly title: string;
  /** The directory that names are relative to. */
  readonly folder: string;
  /** As `this session` or `worktree ../tax`. */
  readonly target: string;
  readonly branch?: string;
  /** US dollars; null where a price is unknown. */
  readonly cost: number | null;
  /** Why nothing can be changed here. */
  readonly readOnly?: string;
  readonly added: number;
  readonly removed: number;
  readonly files: readonly ReviewedFile[];
  /** Names of changed files that cannot be shown. */
  readonly omitted: readonly string[];
  /** Reasons why more may have changed than is listed. */
  readonly unknown: readonly string[];
  readonly drafts: readonly DraftComment[];
  /** All drafts as the message that would be sent. */
  readonly message?: string;
}

/** Reply of `GET /api/sessions/:id/review/targets`. */
export interface ReviewTargetsReply {
  readonly targets: readonly ReviewTargetChoice[];
}

/** Changes that can be reviewed; `target` is written as for `/review`. */
export interface ReviewTargetChoice {
  readonly target: string;
  readonly text: string;
}

export interface ReviewedFile {
  readonly name: string;
  readonly change: 'edit' | 'create' | 'delete';
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly ReviewedHunk[];
  /** Sizes in bytes if a content is no text. */
  readonly binary?: { readonly before?: number; readonly after?: number };
  /** Why it can only be looked at. */
  readonly refusal?: string;
}

export interface ReviewedHunk {
  readonly key: string;
  readonly state: 'open' | 'kept' | 'taken back';
  /** Lines before the hunk in the old and in the new file. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

/** A comment that was not sent yet. */
export interface DraftComment {
  readonly id: string;
  /** The name of its file. */
  readonly file: string;
  readonly side: 'old' | 'new';
  /** Its first line when it was written, counted from 1. */
  readonly line: number;
  /** Its first line now; absent if the lines cannot be found any more. */
  readonly at?: number;
  readonly excerpt: readonly string[];
  readonly comment: string;
}
