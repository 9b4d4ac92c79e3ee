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
import { type Entry, type EntryTree, requestOf, typedText } from '@robota-sdk/agent-sessions';
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

/** The end of a branch without entries. */
const noEnd = {
  /** The last model that answered; empty without one. */
  model: '',
  lastLine: '',
  /** The last line is a command. */
  isCommand: false,
  /** The last answer ended with an error. */
  isFailed: false,
  /** The last message leaves work to do: a prompt without an answer, or calls without results. */
  isUnfinished: false,
  todos: [] as readonly TodoItem[],
  /** Tokens that the last answer saw and said. */
  contextTokens: 0,
};
/** The last things that were said on the active branch. */
type BranchEnd = Readonly<typeof noEnd>;
/** Entries that are read again for the end of another branch. */
const mostReadAgain = 200;

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
  readonly #tree: EntryTree;
  /** Those of the active branch; undefined after it became another one. */
  #active: BranchChanges | undefined;
  /** Undefined after the active branch became another one. */
  #end: BranchEnd | undefined = noEnd;
  /** Unix milliseconds of the last entry. */
  modified = 0;
  input = { all: 0, cached: 0 };
  /** Positions of the last comments that were sent, and of the decision that left no hunk open. */
  #lastSent = -1;
  #lastDecided = -1;

  constructor(tree: EntryTree) {
    this.#tree = tree;
  }

  get end(): BranchEnd {
    this.#end ??= readEnd(this.#tree);
    return this.#end;
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
    this.#end = undefined;
  }

  #activeChanges(): BranchChanges {
    if (this.#active) return this.#active;
    this.#active = { files: new Map(), last: -1 };
    const ids = new Set(this.#changes.length === 0 ? [] : this.#tree.idsBackwards());
    for (const change of this.#changes) if (ids.has(change.id)) addChange(this.#active, change);
    return this.#active;
  }

  take(entry: Entry, position: number): void {
    this.modified = Date.parse(entry.timestamp) || this.modified;
    if (entry.type === 'custom' && entry.customType === reviewNoteType)
      this.#takeReview(progressOf(entry.data), position);
    const prompt = promptOf(entry);
    if (prompt !== undefined) this.#takePrompt(entry.id, prompt);
    this.#end &&= afterEntry(this.#end, entry);
    if (entry.type !== 'message') return;
    const { message } = entry;
    if (message.role === 'assistant') this.#takeAnswer(message);
    if (message.role === 'tool') this.#takeResult(message, { id: entry.id, position });
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
  }

  #takeAnswer({ model, usage }: AssistantMessage): void {
    this.#models.add(modelId(model));
    this.input = { all: this.input.all + seenTokens(usage), cached: this.input.cached + usage.cacheRead };
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

/** Reads the end of the active branch from its last entries. */
function readEnd(tree: EntryTree): BranchEnd {
  const ids: string[] = [];
  for (const id of tree.idsBackwards()) if (ids.push(id) === mostReadAgain) break;
  const entries = ids.reverse().flatMap((id) => tree.entry(id) ?? []);
  return entries.reduce(afterEntry, noEnd);
}

function afterEntry(end: BranchEnd, entry: Entry): BranchEnd {
  const prompt = promptOf(entry);
  const next = prompt === undefined ? end : { ...end, lastLine: prompt, isCommand: false, isFailed: false };
  if (entry.type !== 'message') return next;
  const { message } = entry;
  const said = message.role === 'assistant' ? afterAnswer(next, message) : next;
  return { ...said, isUnfinished: isUnfinished(message) };
}

function afterAnswer(end: BranchEnd, message: AssistantMessage): BranchEnd {
  const { model, usage, stopReason, error } = message;
  const seen = seenTokens(usage);
  const calls = toolCallsOf(message);
  const call = calls.findLast(({ name }) => name !== todoTool);
  const plan = calls.findLast(({ name }) => name === todoTool);
  const text = lastParagraph(textOf(message.content.filter(({ type }) => type === 'text')));
  const said = error?.message ?? (call ? callTitle(call) : text);
  return {
    ...end,
    model: modelId(model),
    ...(seen > 0 ? { contextTokens: seen + usage.output } : {}),
    isFailed: stopReason === 'error',
    ...(said === '' ? {} : { lastLine: shownLine(said) }),
    isCommand: call?.name === 'Bash',
    todos: (plan && todosIn(plan.input)) ?? end.todos,
  };
}

function promptOf(entry: Entry): string | undefined {
  const request = requestOf(entry);
  return request && shownLine(typedText(request));
}

function modelId({ vendor, id }: AssistantMessage['model']): string {
  return vendor === '' ? id : `${vendor}/${id}`;
}

function seenTokens({ input, cacheRead, cacheWrite }: AssistantMessage['usage']): number {
  return input + cacheRead + cacheWrite;
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
  return input.todos.filter(isJsonObject).map(todoOf);
}

/** A todo as its tool or a live session names it. */
export function todoOf({ content, status }: { content?: unknown; status?: unknown }): TodoItem {
  const known = String(status).replace('_', '-');
  const isKnown = known === 'completed' || known === 'in-progress';
  return { text: String(content ?? ''), status: isKnown ? known : 'pending' };
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
  const paragraphs = said
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  return paragraphs.at(-1) || code.join('\n');
}

/** The first line of a text that says something, shortened. */
export function shownLine(text: string): string {
  // A part of a string keeps the whole in memory; this copy does not.
  return Buffer.from(shorten(firstLine(text), longestLine)).toString();
}
