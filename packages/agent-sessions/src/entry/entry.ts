import type { JsonObject, JsonValue, Message, ShellRun, Usage } from '@robota-sdk/agent-core';

/** The version of the line format we write: pi's third. */
export const formatVersion = 3;

/** The first line of a session. */
export interface SessionHeader {
  readonly id: string;
  readonly version: number;
  /** When it was created, ISO. */
  readonly timestamp: string;
  readonly cwd: string;
  /** The session this one was forked from: an id of ours, or a path. */
  readonly parentSession?: string;
  /** The program that writes the file; ours are the only ones we append to. */
  readonly writer?: string;
  /** The other program's file that this session was imported from. */
  readonly importedFrom?: ImportOrigin;
}

/** The origin of an imported session. */
export interface ImportOrigin {
  /** The kind of file, such as `claude`. */
  readonly format: string;
  readonly path: string;
  /** The SHA-256 of its content, by which a second import is noticed. */
  readonly hash: string;
}

/** The value of `writer` in our sessions. */
export const ownWriter = 'robota';

interface EntryBase {
  /** Eight hexadecimal digits, unique in the file. */
  readonly id: string;
  readonly parentId: string | null;
  /** ISO. */
  readonly timestamp: string;
}

interface MessageEntry extends EntryBase {
  readonly type: 'message';
  readonly message: Message;
  /** Unknown fields of the line, which are preserved. */
  readonly unknown?: JsonObject;
}

/** A command that the user ran. A message made from the entry tells the model. */
export interface ShellEntry extends EntryBase, ShellRun {
  readonly type: 'shell';
  /** The identity of that message. */
  readonly message?: { readonly id: string; readonly timestamp: number };
  /** Fields of other programs, which are preserved. */
  readonly unknown?: JsonObject;
}

interface ModelChangeEntry extends EntryBase {
  readonly type: 'model_change';
  readonly provider: string;
  readonly modelId: string;
}

interface ThinkingLevelChangeEntry extends EntryBase {
  readonly type: 'thinking_level_change';
  readonly thinkingLevel: string;
}

/** From here on the summary replaces everything before the first kept entry; the originals stay in the tree. */
export interface CompactionEntry extends EntryBase {
  readonly type: 'compaction';
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly tokensAfter?: number;
  /** Single messages kept from the summarized part, such as the current request. */
  readonly keptEntryIds?: readonly string[];
  /** The identity of the message that carries the summary. */
  readonly message?: { readonly id: string; readonly timestamp: number };
  readonly details?: JsonValue;
  readonly usage?: Usage;
}

/** The summary of an abandoned branch, at the point where the conversation continued. */
interface BranchSummaryEntry extends EntryBase {
  readonly type: 'branch_summary';
  /** The abandoned leaf; `root` for the start. */
  readonly fromId: string;
  readonly summary: string;
  readonly details?: JsonValue;
  readonly usage?: Usage;
}

/** Data of extensions in the tree; never sent to a model. */
export interface CustomEntry extends EntryBase {
  readonly type: 'custom';
  readonly customType: string;
  readonly data?: JsonValue;
}

/** An entry of an unknown kind: it keeps its position and its line. */
export interface OpaqueEntry extends EntryBase {
  readonly type: 'opaque';
  readonly raw: JsonObject;
  /** The line as it was read. */
  readonly text?: string;
}

/** A node of the session's tree. */
export type Entry =
  | MessageEntry
  | ShellEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | OpaqueEntry;

type Draft<E extends EntryBase> = Omit<E, keyof EntryBase>;

/** A compaction by messages instead of entries, as its creator knows it. */
export interface CompactionDraft extends Omit<Draft<CompactionEntry>, 'firstKeptEntryId' | 'keptEntryIds'> {
  readonly firstKeptMessageId: string;
  readonly keptMessageIds: readonly string[];
}

/** An entry before the store assigned its id and parent. */
export type EntryDraft =
  | Draft<MessageEntry>
  | Draft<ShellEntry>
  | Draft<ModelChangeEntry>
  | Draft<ThinkingLevelChangeEntry>
  | Draft<BranchSummaryEntry>
  | Draft<CustomEntry>
  | CompactionDraft;

/**
 * Metadata of the session outside the conversation. Facts have an id and a parent for pi, which chains every line; in
 * our tree they are transparent.
 */
export type Fact = EntryBase &
  (
    | { readonly type: 'session_info'; readonly name: string }
    | { readonly type: 'label'; readonly targetId: string; readonly label: string }
    | { readonly type: 'leaf'; readonly targetId: string | null }
  );

/** One line of `session.jsonl`. */
export type Line =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'fact'; readonly fact: Fact };
