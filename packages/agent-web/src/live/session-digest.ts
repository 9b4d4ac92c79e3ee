import {
  type AssistantMessage,
  firstLine,
  isJsonObject,
  type JsonValue,
  type Message,
  shorten,
  type ToolMessage,
  textOf,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import { callTitle } from '@robota-sdk/agent-export';
import { progressOf, reviewNoteType } from '@robota-sdk/agent-review';
import { type Entry, requestOf, spokenContent } from '@robota-sdk/agent-sessions';
import type { ChangedFile, TodoItem } from '../contract/session.ts';

/** A prompt of the user, as a point of the tree. */
export interface PromptPoint {
  readonly id: string;
  readonly text: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** A change of a file, and the entry that tells of it. */
interface Change extends ChangedFile {
  readonly id: string;
  readonly position: number;
}

/** Changes on a branch: by file, and the position of the last one. */
interface BranchChanges {
  readonly files: Map<string, ChangedFile>;
  last: number;
}

/** Prompts that are kept, the last ones. */
export const mostPrompts = 60;
const longestLine = 200;
/** Its arguments are a list that stands elsewhere. */
export const todoTool = 'TodoWrite';

/** Facts about a session for lists and panels, from its entries; grows with each of them. */
export class SessionDigest {
  /** The last prompts; at most twice as many as are kept. */
  readonly prompts: PromptPoint[] = [];
  firstPrompt = '';
  readonly #models = new Set<string>();
  /** Those of all branches. */
  readonly #changes: Change[] = [];
  readonly #activeIds: () => Iterable<string>;
  /** Those of the active branch; undefined after it became another one. */
  #active: BranchChanges | undefined;
  /** The last model that answered; empty without one. */
  model = '';
  lastLine = '';
  /** The last line is a command. */
  isCommand = false;
  /** The last answer ended with an error. */
  isFailed = false;
  /** The last message leaves work to do: a prompt without an answer, or calls without results. */
  isUnfinished = false;
  todos: readonly TodoItem[] = [];
  /** Unix milliseconds of the last entry. */
  modified = 0;
  input = { all: 0, cached: 0 };
  /** Tokens that the last answer saw and said. */
  contextTokens = 0;
  /** Positions of the last comments that were sent, and of the decision that left no hunk open. */
  #lastSent = -1;
  #lastDecided = -1;

  /** Takes a function that gives the ids of the active branch. */
  constructor(activeIds: () => Iterable<string>) {
    this.#activeIds = activeIds;
  }

  /** `vendor/id`, in the order of their first answer. */
  get models(): readonly string[] {
    return [...this.#models];
  }

  /** Files that were changed on the active branch. */
  get changes(): readonly ChangedFile[] {
    return [...this.#activeChanges().files.values()];
  }

  /** Files were changed since comments were sent and since every hunk of a review was decided. */
  get hasUnreviewed(): boolean {
    const { last } = this.#activeChanges();
    return last > this.#lastSent && last > this.#lastDecided;
  }

  /** The active branch is another one. */
  branchChanged(): void {
    this.#active = undefined;
  }

  #activeChanges(): BranchChanges {
    if (this.#active) return this.#active;
    this.#active = { files: new Map(), last: -1 };
    const ids = new Set(this.#changes.length === 0 ? [] : this.#activeIds());
    for (const change of this.#changes) if (ids.has(change.id)) addChange(this.#active, change);
    return this.#active;
  }

  take(entry: Entry, position: number): void {
    this.modified = Date.parse(entry.timestamp) || this.modified;
    if (entry.type === 'custom' && entry.customType === reviewNoteType)
      this.#takeReview(progressOf(entry.data), position);
    const request = requestOf(entry);
    if (request) this.#takePrompt(entry.id, shownLine(textOf(spokenContent(request.content))));
    if (entry.type !== 'message') return;
    const { message } = entry;
    if (message.role === 'assistant') this.#takeAnswer(message);
    if (message.role === 'tool') this.#takeResult(message, { id: entry.id, position });
    this.isUnfinished = isUnfinished(message);
  }

  #takeReview(progress: ReturnType<typeof progressOf>, position: number): void {
    if (progress === 'sent') this.#lastSent = position;
    if (progress === 'decided') this.#lastDecided = position;
    // A decision may have been undone.
    if (progress === 'open') this.#lastDecided = -1;
  }

  #takePrompt(id: string, text: string): void {
    if (this.prompts.length === 0) this.firstPrompt = text;
    this.prompts.push({ id, text, time: this.modified });
    if (this.prompts.length > 2 * mostPrompts) this.prompts.splice(0, mostPrompts);
    this.lastLine = text;
    this.isCommand = false;
    this.isFailed = false;
  }

  #takeAnswer(message: AssistantMessage): void {
    const { model, usage, stopReason, error } = message;
    this.model = model.vendor === '' ? model.id : `${model.vendor}/${model.id}`;
    this.#models.add(this.model);
    const seen = usage.input + usage.cacheRead + usage.cacheWrite;
    this.input = { all: this.input.all + seen, cached: this.input.cached + usage.cacheRead };
    if (seen > 0) this.contextTokens = seen + usage.output;
    this.isFailed = stopReason === 'error';
    const call = toolCallsOf(message).findLast(({ name }) => name !== todoTool);
    const text = lastParagraph(textOf(message.content.filter(({ type }) => type === 'text')));
    const said = error?.message ?? (call ? callTitle(call) : text);
    if (said !== '') this.lastLine = shownLine(said);
    this.isCommand = call?.name === 'Bash';
    for (const { name, input } of toolCallsOf(message))
      if (name === todoTool) this.todos = todosIn(input) ?? this.todos;
  }

  #takeResult({ display, status }: ToolMessage, place: Pick<Change, 'id' | 'position'>): void {
    if (display?.kind !== 'diff' || status !== 'success') return;
    const { path, lines } = display;
    const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
    const { added = count('added'), removed = count('removed') } = display;
    const change = { ...place, path, added, removed };
    this.#changes.push(change);
    if (this.#active) addChange(this.#active, change);
  }
}

function addChange(changes: BranchChanges, { path, added, removed, position }: Change): void {
  const known = changes.files.get(path) ?? { path, added: 0, removed: 0 };
  changes.files.set(path, { path, added: known.added + added, removed: known.removed + removed });
  changes.last = position;
}

function isUnfinished(message: Message): boolean {
  if (message.role === 'user') return true;
  if (message.role === 'tool') return message.status !== 'aborted';
  return message.stopReason !== 'aborted' && toolCallsOf(message).length > 0;
}

function todosIn(input: JsonValue): readonly TodoItem[] | undefined {
  if (!isJsonObject(input) || !Array.isArray(input.todos)) return undefined;
  return input.todos.filter(isJsonObject).map(({ content, status }) => ({
    text: String(content ?? ''),
    status: status === 'completed' ? 'completed' : status === 'in_progress' ? 'in-progress' : 'pending',
  }));
}

/** The last paragraph outside of blocks of code; the code if nothing else was said. */
function lastParagraph(text: string): string {
  let fence: string | undefined;
  const said: string[] = [];
  const code: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    const isFence = mark !== undefined && (fence === undefined || fence === mark);
    if (isFence) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) said.push(line);
    else code.push(line);
  }
  return (
    said
      .join('\n')
      .trim()
      .split(/\n\s*\n/)
      .at(-1) || code.join('\n')
  );
}

/** The first line of a text that says something, shortened. */
export function shownLine(text: string): string {
  // A part of a string keeps the whole in memory; this copy does not.
  return Buffer.from(shorten(firstLine(text), longestLine)).toString();
}
