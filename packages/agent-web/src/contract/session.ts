import type { PermissionMode } from '@robota-sdk/agent-core';
import type { SessionHead, ViewEntry } from '@robota-sdk/agent-export';
import type { WebQuestion } from './question.ts';

/** Reply of `GET /api/sessions/:id`. */
export interface SessionPage {
  readonly head: SessionHead;
  /** The last entries of the active branch, oldest first. */
  readonly entries: readonly ViewEntry[];
  /** How many entries of the branch are before the first of these. */
  readonly earlier: number;
  /** The last line of the file, for the `Last-Event-ID` of the first stream. */
  readonly lastId: string;
  readonly state: SessionSnapshot;
}

/** Reply of `GET /api/sessions/:id/entries?before=ID&limit=N`: entries of the active branch, oldest first. */
export interface EntriesPage {
  readonly entries: readonly ViewEntry[];
  readonly earlier: number;
}

/** Everything of a session beside its entries. A change sends it whole. */
export interface SessionSnapshot {
  readonly title: string;
  readonly holder: 'here' | 'elsewhere' | 'none';
  /** Names a holder elsewhere, such as "a terminal (process 4711)", and says whether it can be asked to hand over. */
  readonly heldBy?: { readonly name: string; readonly text: string; readonly handsOver: boolean };
  /** Of the directory; absent outside of git. */
  readonly branch?: string;
  /** When the run that is under way began, in Unix milliseconds; absent while none is. */
  readonly runningSince?: number;
  /** In dollars; null where a price is unknown. */
  readonly cost: number | null;
  /** `vendor/id`. */
  readonly model: string;
  /** Models to choose from. */
  readonly models: readonly string[];
  readonly mode: PermissionMode;
  readonly todos: readonly TodoItem[];
  readonly context: ContextUse;
  readonly queue: readonly QueuedPrompt[];
  readonly questions: readonly WebQuestion[];
  readonly changes: readonly ChangedFile[];
  /** Prompts, forks and ends of branches, parents first. At most 60, the last ones. */
  readonly tree: readonly TreeNode[];
}

export interface TodoItem {
  readonly text: string;
  readonly status: 'pending' | 'in-progress' | 'completed';
}

/** Tokens of the context window. */
export interface ContextUse {
  readonly used: number;
  /** 0 if the size of the window is unknown. */
  readonly max: number;
  /** 0 to 1; the session is compacted there. */
  readonly compactsAt?: number;
  /** 0 to 1; the share of the input that was read from the cache. */
  readonly cachedShare?: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
}

export interface QueuedPrompt {
  readonly id: string;
  readonly as: 'steer' | 'queue';
  readonly text: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** A point of the tree of a session. */
export interface TreeNode {
  readonly id: string;
  /** The node it hangs on; null for the first. */
  readonly parent: string | null;
  readonly text: string;
  readonly time: number;
  readonly isOnBranch: boolean;
}

/** Reply of `GET /api/models`: models that can be used for a new session, the configured one first. */
export interface ModelsPage {
  readonly models: readonly string[];
  /** The model of a session for which none is chosen; absent if none is configured. */
  readonly default?: string;
}

/** Body of `POST /api/sessions`; the reply is `{ id }`. Only trusted directories are allowed. */
export interface NewSessionRequest {
  readonly cwd: string;
  readonly prompt: string;
  readonly model?: string;
}

/** Body of `POST /api/sessions/:id/prompt`. While a run is active, `prompt` is the same as `steer`. */
export interface PromptRequest {
  readonly text: string;
  readonly as: 'prompt' | 'steer' | 'queue';
}

/** Reply of `POST /api/sessions/:id/complete`: replacements of the text from `start` on. */
export interface CompletionsPage {
  readonly start: number;
  readonly items: readonly { readonly value: string; readonly description?: string }[];
}

/**
 * Body of `POST /api/sessions/:id/take-over`. Without `stop`, a holder with an active run refuses: status 409 with the
 * code `run-active`.
 */
export interface TakeOverRequest {
  readonly stop?: boolean;
}
