import { firstLine, type Message, shorten, textOf, toolCallsOf } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { isRequestOrigin } from '../entry/is-request.ts';
import { projectEntry } from '../entry/project-entry.ts';
import { requestOf } from '../entry/request-of.ts';
import { typedText } from '../entry/spoken-content.ts';
import { withoutHeading } from '../entry/without-heading.ts';
import type { SessionHandle } from '../store/session-handle.ts';

/** The kind of an entry for the user. `prompt` is the user's; a `reminder` is only for the model. */
export type EntryKind =
  | 'prompt'
  | 'answer'
  | 'result'
  | 'reminder'
  | 'pin'
  | 'recall'
  | 'compaction'
  | 'branch-summary'
  | 'model'
  | 'thinking'
  | 'other';

/** One entry as a front end shows it. */
export interface EntryView {
  readonly id: string;
  readonly parentId: string | null;
  readonly kind: EntryKind;
  /** The first line of its text. */
  readonly text: string;
  /** ISO. */
  readonly timestamp: string;
  readonly label?: string;
  /** True if it is on the branch that the conversation is on. */
  readonly isActive: boolean;
  readonly children: number;
}

const lineCharacters = 200;

/** The tree of a session as it is now. Contains only ids: entries are read on demand. */
export class SessionTree {
  readonly leafId: string | null;
  readonly #handle: SessionHandle;
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>();
  readonly #active: ReadonlySet<string>;

  constructor(handle: SessionHandle) {
    this.#handle = handle;
    this.leafId = handle.leafId;
    this.#active = new Set(handle.pathIds());
    for (const id of handle.ids()) this.#parents.set(id, handle.parentIdOf(id));
    this.#breakCircles();
    for (const [id, parentId] of this.#parents) {
      const siblings = this.#children.get(parentId);
      if (siblings) siblings.push(id);
      else this.#children.set(parentId, [id]);
    }
  }

  /** Every entry in the order in which it was written. */
  ids(): Iterable<string> {
    return this.#parents.keys();
  }

  /** The children of an entry, oldest first; those of null are the roots. */
  childrenOf(id: string | null): readonly string[] {
    return this.#children.get(id) ?? [];
  }

  /** The entry before one; null at a root. */
  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  view(id: string): EntryView | undefined {
    const entry = this.#handle.entry(id);
    if (!entry) return undefined;
    const label = this.labelOf(id);
    return {
      id,
      parentId: this.parentOf(id),
      kind: kindOf(entry),
      text: lineOf(entry),
      timestamp: entry.timestamp,
      ...(label === undefined ? {} : { label }),
      isActive: this.isActive(id),
      children: this.childrenOf(id).length,
    };
  }

  labelOf(id: string): string | undefined {
    return this.#handle.labels.get(id);
  }

  /** True if an entry is on the branch that the conversation is on. */
  isActive(id: string): boolean {
    return this.#active.has(id);
  }

  /** The kind of an entry, without reading its content. */
  kindOf(id: string): EntryKind | undefined {
    const entry = this.#handle.entry(id);
    return entry && kindOf(entry);
  }

  /** The user's input in an entry, in full; undefined for other kinds. */
  promptOf(id: string): string | undefined {
    const entry = this.#handle.entry(id);
    const request = entry && requestOf(entry);
    return request && typedText(request);
  }

  /** The numbers of the prompts, by their entries. */
  promptNumbers(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#handle.promptIds, (id, index) => [id, index + 1]));
  }

  /** Damaged files may contain cycles of parents: the first entry of a cycle becomes a root. */
  #breakCircles(): void {
    const sound = new Set<string>();
    for (const [start, parentId] of this.#parents) {
      if (parentId === null || sound.has(parentId)) {
        sound.add(start);
        continue;
      }
      const trail = new Set<string>();
      let id: string | null = start;
      while (id !== null && !sound.has(id) && !trail.has(id)) {
        trail.add(id);
        id = this.#parents.get(id) ?? null;
      }
      if (id !== null && trail.has(id)) this.#parents.set(id, null);
      for (const each of trail) sound.add(each);
    }
  }
}

const kinds: Readonly<Partial<Record<Entry['type'], EntryKind>>> = {
  compaction: 'compaction',
  branch_summary: 'branch-summary',
  model_change: 'model',
  thinking_level_change: 'thinking',
};

function kindOf(entry: Entry): EntryKind {
  const message = entry.type === 'branch_summary' ? undefined : messageOf(entry);
  return message ? roleOf(message) : (kinds[entry.type] ?? 'other');
}

function lineOf(entry: Entry): string {
  switch (entry.type) {
    case 'compaction':
    case 'branch_summary':
      return firstSentence(entry.summary);
    case 'model_change':
      return `${entry.provider}/${entry.modelId}`;
    case 'thinking_level_change':
      return entry.thinkingLevel;
    case 'custom':
      return entry.customType;
    default: {
      const message = messageOf(entry);
      return message ? shownLine(wordsOf(message)) : '';
    }
  }
}

function messageOf(entry: Entry): Message | undefined {
  return entry.type === 'message' ? entry.message : projectEntry(entry);
}

function roleOf(message: Message): EntryKind {
  if (message.role === 'assistant') return 'answer';
  if (message.role === 'tool') return 'result';
  if (isRequestOrigin(message.origin)) return 'prompt';
  return message.origin === 'pin' || message.origin === 'recall' ? message.origin : 'reminder';
}

function wordsOf(message: Message): string {
  if (message.role === 'tool') return `${message.toolName}: ${textOf(message.content)}`;
  const words = withoutHeading(message);
  if (words.trim() !== '' || message.role === 'user') return words;
  return toolCallsOf(message)
    .map(({ name }) => name)
    .join(', ');
}

/** Summaries start with a fixed heading. */
function firstSentence(summary: string): string {
  return shownLine(summary.replace(/^#.*$/gm, ''));
}

function shownLine(text: string): string {
  return shorten(firstLine(text), lineCharacters);
}
