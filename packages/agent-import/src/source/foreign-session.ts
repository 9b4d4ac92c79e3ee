import {
  type AssistantContent,
  type JsonValue,
  type Message,
  storedArguments,
  toOwnCall,
} from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-sessions';
import type { SkipCounts } from './skip-counts.ts';

/** The kinds of files that can be imported. */
export type SourceFormat =
  | 'pi'
  | 'pi-4'
  | 'flat'
  | 'claude'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'eidolon-json'
  | 'eidolon-xnl';

/** A place in the source's tree: a line, or several that make one message. */
export interface SourceNode {
  readonly id: string;
  readonly parentId: string | null;
}

type WithoutIdentity<M> = M extends Message ? Omit<M, 'id' | 'parentId'> : never;
/** A message whose identity its place in the tree gives. */
export type MessageBody = WithoutIdentity<Message>;

type WithoutPosition<E> = E extends Entry ? Omit<E, 'id' | 'parentId' | 'timestamp'> : never;
/** An entry without position. Compactions name their kept messages by the source's ids. */
export type EntryBody =
  | Exclude<WithoutPosition<Entry>, { readonly type: 'message' }>
  | { readonly type: 'message'; readonly message: MessageBody };

/** One entry that a node becomes. */
export interface EntryPiece {
  /** ISO. */
  readonly timestamp: string;
  readonly body: EntryBody;
}

/** A session of another program, read as far as its shape; what it says is read node by node. */
export interface ForeignSession {
  readonly format: SourceFormat;
  /** The directory of the session, if the file has it. */
  readonly cwd: string | undefined;
  /** When it began, ISO. */
  readonly started: string | undefined;
  readonly name: string | undefined;
  /** By the source's ids. */
  readonly labels: ReadonlyMap<string, string>;
  /** In the order of the file. */
  readonly nodes: readonly SourceNode[];
  /** The leaf of the conversation; the last node unless given. */
  readonly leafId: string | null | undefined;
  readonly skipped: SkipCounts;
  /** Converts a node to entries, each below the one before; empty for unsupported nodes. */
  pieces(id: string): readonly EntryPiece[];
}

/** A string, or nothing. */
export function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A call under our names; nothing without an id or a name. */
export function ownCall(
  tools: Parameters<typeof toOwnCall>[0],
  { id, name, input }: { readonly [K in 'id' | 'name' | 'input']: JsonValue | undefined },
): AssistantContent[] {
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  return [{ type: 'tool-call', id, ...toOwnCall(tools, name, storedArguments(input)) }];
}

/** A number that counts something, or nothing. */
export function readCount(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A time as ISO, out of ISO or Unix milliseconds; nothing if it is neither. */
export function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
