import { AgentError, givenFields, isJsonObject, type JsonObject, toolCallsOf } from '@robota-sdk/agent-core';
import {
  decodeObject,
  type Entry,
  formatVersion,
  LineMigrator,
  type SessionHeader,
} from '@robota-sdk/agent-sessions';
import { type EntryPiece, type ForeignSession, type SourceNode, timeOf } from '../source/foreign-session.ts';
import { parseObject, readJsonLines } from '../source/read-json-lines.ts';
import { SkipCounts, skipReasons } from '../source/skip-counts.ts';
import type { LineSpan, SourceFile } from '../source/source-file.ts';
import { fromFormatFour, isFormatFour } from './format-four.ts';
import { fromPiMessage } from './pi-message.ts';

/** The position of a node's content, and its migrated frame. */
interface PiNode extends SourceNode {
  readonly span: LineSpan;
  readonly frame: JsonObject;
}

/** Reads a session of pi or rab: every format from the first on, and flat lines. */
export function readPi(file: SourceFile): ForeignSession {
  const reader = new PiReader(file);
  reader.readShape();
  return reader;
}

class PiReader implements ForeignSession {
  readonly labels = new Map<string, string>();
  readonly skipped = new SkipCounts();
  format: ForeignSession['format'] = 'pi';
  name: string | undefined;
  leafId: string | null | undefined;
  readonly #file: SourceFile;
  readonly #migrator = new LineMigrator();
  readonly #nodes = new Map<string, PiNode>();
  readonly #toolNames = new Map<string, string>();
  #header: SessionHeader | undefined;

  constructor(file: SourceFile) {
    this.#file = file;
  }

  get cwd(): string | undefined {
    return this.#header?.cwd || undefined;
  }

  get started(): string | undefined {
    return timeOf(this.#header?.timestamp);
  }

  get nodes(): readonly SourceNode[] {
    return [...this.#nodes.values()];
  }

  readShape(): void {
    for (const { value, span } of readJsonLines(this.#file, this.skipped)) this.#take(value, span);
    if (this.#migrator.version <= formatVersion) return;
    const { path } = this.#file;
    throw new AgentError(
      'session',
      `${path} has format ${this.#migrator.version}, which is newer than what can be read. Update Robota to import it.`,
    );
  }

  pieces(id: string): readonly EntryPiece[] {
    const node = this.#nodes.get(id);
    const stored = node && parseObject(this.#file.textAt(node.span));
    if (!stored) {
      this.skipped.add(skipReasons.notJson);
      return [];
    }
    const line = { ...new LineMigrator().migrate(this.#normalized(stored)), ...node.frame };
    const decoded = decodeObject(withOwnMessage(line));
    if (decoded.kind !== 'entry') return [];
    return [pieceOf(this.#withToolName(decoded.entry)), ...retained(line, decoded.entry)];
  }

  /** Flat lines name the tool in the call only. */
  #withToolName(entry: Entry): Entry {
    if (entry.type !== 'message') return entry;
    const { message } = entry;
    for (const { id, name } of toolCallsOf(message)) this.#toolNames.set(id, name);
    if (message.role !== 'tool' || message.toolName !== '') return entry;
    return { ...entry, message: { ...message, toolName: this.#toolNames.get(message.toolCallId) ?? '' } };
  }

  #take(value: JsonObject, span: LineSpan): void {
    const line = this.#migrator.migrate(this.#normalized(value));
    const decoded = decodeObject(line);
    switch (decoded.kind) {
      case 'header':
        this.#header ??= decoded.header;
        if (value.v !== undefined) this.format = 'flat';
        return;
      case 'entry':
        this.#addNode(decoded.entry, { value, line, span });
        return;
      case 'fact':
        this.#takeFact(decoded.fact, { line, span });
        return;
      case 'problem':
        this.skipped.add(decoded.reason === 'foreign' ? 'of an unknown kind' : skipReasons.noMessage);
    }
  }

  #addNode(
    { id, parentId }: Entry,
    { value, line, span }: { value: JsonObject; line: JsonObject; span: LineSpan },
  ): void {
    if (this.#nodes.delete(id)) this.skipped.add(skipReasons.duplicate);
    if (value.type === undefined && value.kind === undefined) this.format = 'flat';
    this.#nodes.set(id, { id, parentId, span, frame: frameOf(line) });
    this.leafId = undefined;
  }

  /** pi chains facts with the entries, so that they keep a place that means nothing. */
  #takeFact(
    fact: Extract<ReturnType<typeof decodeObject>, { kind: 'fact' }>['fact'],
    { line, span }: { line: JsonObject; span: LineSpan },
  ): void {
    if (fact.type === 'session_info') this.name = fact.name || undefined;
    else if (fact.type === 'leaf') this.leafId = fact.targetId;
    else if (fact.label === '') this.labels.delete(fact.targetId);
    else this.labels.set(fact.targetId, fact.label);
    if (fact.parentId !== null && !this.#nodes.has(fact.id))
      this.#nodes.set(fact.id, { id: fact.id, parentId: fact.parentId, span, frame: frameOf(line) });
  }

  #normalized(value: JsonObject): JsonObject {
    if (isFormatFour(value)) {
      this.format = 'pi-4';
      return fromFormatFour(value);
    }
    return value.type === undefined && typeof value.role === 'string' ? withCommonNames(value) : value;
  }
}

/**
 * Fields derived from earlier lines: the position of a line without ids, and the messages its compaction
 * keeps.
 */
function frameOf({ id, parentId, firstKeptEntryId }: JsonObject): JsonObject {
  return givenFields({ id, parentId, firstKeptEntryId });
}

/** Flat lines say beside the message what it cost and which model made it. */
function withOwnMessage(line: JsonObject): JsonObject {
  if (line.type !== 'message' || !isJsonObject(line.message)) return line;
  const { usage, model, provider, api, ...rest } = line;
  const beside = givenFields({ usage, model, provider, api });
  return { ...rest, message: fromPiMessage({ ...beside, ...line.message }) };
}

const commonNames: Readonly<Record<string, string>> = {
  parent_id: 'parentId',
  tool_calls: 'toolCalls',
  tool_call_id: 'toolCallId',
  tool_name: 'toolName',
  is_error: 'isError',
};

function withCommonNames(line: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [
      Object.hasOwn(commonNames, key) ? (commonNames[key] ?? key) : key,
      value,
    ]),
  );
}

function pieceOf({ id: _, parentId: __, timestamp, ...body }: Entry): EntryPiece {
  return { timestamp: timeOf(timestamp) ?? '', body } as EntryPiece;
}

/** Format 4 keeps the messages that outlive a compaction inside of it. */
function retained({ retainedTail }: JsonObject, { timestamp }: Entry): EntryPiece[] {
  if (!Array.isArray(retainedTail)) return [];
  return retainedTail.filter(isJsonObject).flatMap((message) => {
    const line = decodeObject({ type: 'message', id: 'x', timestamp, message: fromPiMessage(message) });
    return line.kind === 'entry' ? [pieceOf(line.entry)] : [];
  });
}
