import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { type SourceNode, stringOf, timeOf } from '../source/foreign-session.ts';
import { type SkipCounts, skipReasons } from '../source/skip-counts.ts';
import type { LineSpan } from '../source/source-file.ts';
import { blocksOf } from './claude-message.ts';

/** The kind of a node in a transcript. */
type ClaudeKind = 'user' | 'results' | 'assistant' | 'compaction' | 'attachment';

/** A node of a transcript: a line, or all lines of one answer of the API. */
export interface ClaudeNode extends SourceNode {
  parentId: string | null;
  readonly kind: ClaudeKind;
  readonly spans: LineSpan[];
  /** Calls it answers. */
  readonly answers: readonly string[];
}

const chained: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

/** Builds the tree of a transcript out of its lines, without keeping what they say. */
export class ClaudeShape {
  readonly nodes = new Map<string, ClaudeNode>();
  /** The tool of each call. */
  readonly toolNames = new Map<string, string>();
  readonly titles = new Map<'custom' | 'ai' | 'summary', string>();
  cwd: string | undefined;
  started: string | undefined;
  agentId: string | undefined;
  readonly #skipped: SkipCounts;
  /** Lines that say nothing have a parent too, through which others are chained. */
  readonly #parents = new Map<string, string | null>();
  /** The node that stands for a line which is not its first. */
  readonly #aliases = new Map<string, string>();
  readonly #answerIds = new Map<string, string>();
  readonly #callers = new Map<string, string>();
  readonly #summaries: JsonObject[] = [];
  #isSubagent: boolean | undefined;
  #rewoundTo: string | null | undefined;

  constructor(skipped: SkipCounts) {
    this.#skipped = skipped;
  }

  add(line: JsonObject, span: LineSpan): void {
    this.#noteFacts(line);
    const { type, uuid, isSidechain } = line;
    if (!chained.has(type) || typeof uuid !== 'string') return this.#addUnchained(line);
    this.#isSubagent ??= isSidechain === true;
    if (isSidechain === true && !this.#isSubagent) return this.#skipped.add('of subagents');
    if (this.#parents.has(uuid)) return this.#skipped.add(skipReasons.duplicate);
    this.#parents.set(uuid, parentOf(line));
    this.#addNode(line, { uuid, span });
  }

  /** Ties the nodes to each other once all are known. */
  finish(): readonly ClaudeNode[] {
    this.#isolateSummaries();
    for (const node of this.nodes.values()) node.parentId = this.#solid(node.parentId);
    this.#chainResults();
    return [...this.nodes.values()];
  }

  /** A transcript that holds a subagent's conversation and nothing else. */
  get isSubagent(): boolean {
    return this.#isSubagent === true;
  }

  /** The target of a rewind, if nothing followed; a line that is not in the file is ignored. */
  get leafId(): string | null | undefined {
    const line = this.#rewoundTo;
    return line === undefined || (line !== null && !this.#parents.has(line)) ? undefined : this.#solid(line);
  }

  /** The node that a line became. */
  nodeOf(uuid: string): string {
    return this.#aliases.get(uuid) ?? uuid;
  }

  #noteFacts({ cwd, timestamp, agentId, type, customTitle, aiTitle }: JsonObject): void {
    this.cwd ??= stringOf(cwd) || undefined;
    this.started ??= timeOf(timestamp);
    this.agentId ??= stringOf(agentId);
    if (type === 'custom-title' && typeof customTitle === 'string') this.titles.set('custom', customTitle);
    if (type === 'ai-title' && typeof aiTitle === 'string') this.titles.set('ai', aiTitle);
  }

  #addUnchained(line: JsonObject): void {
    if (line.type === 'summary') this.#summaries.push(line);
    else if (line.type === 'last-prompt' && line.rewound === true)
      this.#rewoundTo = stringOf(line.leafUuid) ?? null;
    else if (line.type === 'user' || line.type === 'assistant') this.#skipped.add('without an id');
    else if (typeof line.type !== 'string') this.#skipped.add('of an unknown kind');
  }

  #addNode(line: JsonObject, { uuid, span }: { uuid: string; span: LineSpan }): void {
    const kind = kindOf(line);
    if (kind === undefined) return;
    if (kind === 'assistant' && this.#joinAnswer(line, { uuid, span })) return;
    if (kind === 'compaction' && this.#joinBoundary(line, { uuid, span })) return;
    if (kind === 'user') this.#rewoundTo = undefined;
    const answers = kind === 'results' ? answersOf(line) : [];
    this.nodes.set(uuid, { id: uuid, parentId: parentOf(line), kind, spans: [span], answers });
    if (kind === 'assistant') this.#noteCalls(line, uuid);
  }

  /** One answer of the API is stored as several lines, one for each block. */
  #joinAnswer(line: JsonObject, { uuid, span }: { uuid: string; span: LineSpan }): boolean {
    const message = isJsonObject(line.message) ? line.message : {};
    if (typeof message.id !== 'string') return false;
    const key = `${message.id} ${stringOf(line.requestId) ?? ''}`;
    const first = this.#answerIds.get(key);
    const node = first === undefined ? undefined : this.nodes.get(first);
    if (!node) {
      this.#answerIds.set(key, uuid);
      return false;
    }
    node.spans.push(span);
    this.#aliases.set(uuid, node.id);
    this.#noteCalls(line, node.id);
    return true;
  }

  /** A compaction is stored as a boundary and, below it, the summary as a user message. */
  #joinBoundary(line: JsonObject, { uuid, span }: { uuid: string; span: LineSpan }): boolean {
    const boundary = line.type === 'user' ? this.nodes.get(parentOf(line) ?? '') : undefined;
    if (boundary?.kind !== 'compaction' || boundary.spans.length > 1) return false;
    boundary.spans.push(span);
    this.#aliases.set(uuid, boundary.id);
    return true;
  }

  #noteCalls({ message }: JsonObject, nodeId: string): void {
    for (const { type, id, name } of blocksOf(isJsonObject(message) ? message.content : undefined)) {
      if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') continue;
      this.toolNames.set(id, name);
      this.#callers.set(id, nodeId);
    }
  }

  /** The nearest line above that became a node. A parent that is not in the file stays what it is. */
  #solid(id: string | null): string | null {
    const seen = new Set<string>();
    for (let at = id; at !== null; ) {
      const node = this.#aliases.get(at) ?? at;
      if (this.nodes.has(node) || !this.#parents.has(at) || seen.has(at)) return node;
      seen.add(at);
      at = this.#parents.get(at) ?? null;
    }
    return null;
  }

  /**
   * The results of parallel calls hang side by side below the lines of the answer. They are one conversation: each goes
   * below the one before, and what followed any of them goes below the last.
   */
  #chainResults(): void {
    const lastOf = new Map<string, { node: ClaudeNode; answered: Set<string> }>();
    const moved = new Map<string, string>();
    for (const node of this.nodes.values()) {
      const caller = node.kind === 'results' ? this.#callers.get(node.answers[0] ?? '') : undefined;
      if (caller === undefined) {
        node.parentId = movedTo(moved, node.parentId);
        continue;
      }
      const last = lastOf.get(caller);
      if (!last) {
        lastOf.set(caller, { node, answered: new Set(node.answers) });
        node.parentId = caller;
      } else if (node.answers.every((id) => !last.answered.has(id))) {
        node.parentId = last.node.id;
        moved.set(last.node.id, node.id);
        lastOf.set(caller, { node, answered: new Set([...last.answered, ...node.answers]) });
      }
    }
  }

  /** Titles that older versions made; they may be about another session whose last line is named. */
  #isolateSummaries(): void {
    for (const { summary, leafUuid } of this.#summaries) {
      const isOurs = typeof leafUuid !== 'string' || this.#parents.has(leafUuid);
      if (isOurs && typeof summary === 'string') this.titles.set('summary', summary);
    }
  }
}

function parentOf({ parentUuid, logicalParentUuid }: JsonObject): string | null {
  return stringOf(parentUuid) ?? stringOf(logicalParentUuid) ?? null;
}

function movedTo(moved: ReadonlyMap<string, string>, id: string | null): string | null {
  let at = id;
  while (at !== null && moved.has(at)) at = moved.get(at) ?? null;
  return at;
}

function kindOf(line: JsonObject): ClaudeKind | undefined {
  const { type, subtype, isCompactSummary, isVisibleInTranscriptOnly, message } = line;
  if (type === 'system') return subtype === 'compact_boundary' ? 'compaction' : undefined;
  if (type === 'attachment') return 'attachment';
  if (type === 'progress' || !isJsonObject(message)) return undefined;
  if (type === 'assistant') return 'assistant';
  if (isCompactSummary === true) return 'compaction';
  if (isVisibleInTranscriptOnly === true) return undefined;
  return answersOf(line).length > 0 ? 'results' : 'user';
}

function answersOf({ message }: JsonObject): string[] {
  return blocksOf(isJsonObject(message) ? message.content : undefined).flatMap(({ type, tool_use_id }) =>
    type === 'tool_result' && typeof tool_use_id === 'string' ? [tool_use_id] : [],
  );
}
