import {
  givenFields,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolMessage,
  type ToolStatus,
  textOf,
  toolEnd,
} from '@robota-sdk/agent-core';
import { formatVersion, type ShellEntry } from './entry.ts';

/**
 * Migrates lines of older formats, in memory and line by line; no file is rewritten. Supported: pi's first format (no
 * ids, compactions that count lines), its second (`hookMessage`), and flat lines, in which a message is the line
 * itself.
 */
export class LineMigrator {
  readonly #ids: string[] = [];
  #version: number | undefined;
  #lastId: string | null = null;

  /** The version of the lines so far: from the header, or guessed from the lines if it is missing. */
  get version(): number {
    return this.#version ?? formatVersion;
  }

  /** Lines without a header may be of any age. */
  get #isOld(): boolean {
    return (this.#version ?? 1) < formatVersion;
  }

  /** Converts a line to the current format; other lines are returned unchanged. */
  migrate(value: JsonObject): JsonObject {
    if (value.type === 'session') this.#version ??= versionOf(value);
    const migrated = this.#migrateLine(value);
    if (!this.#isOld) return migrated;
    const { id, type } = migrated;
    this.#ids.push(typeof id === 'string' ? id : '');
    if (typeof id === 'string' && type !== 'session') this.#lastId = id;
    return migrated;
  }

  #migrateLine(value: JsonObject): JsonObject {
    if (value.type === 'session')
      return value.version === undefined ? { ...value, version: this.version } : value;
    if (!this.#isOld) return value;
    if (value.type === undefined && typeof value.role === 'string') {
      this.#version ??= 1;
      return fromFlatLine(value);
    }
    if (value.id === undefined && firstTypes.has(value.type)) {
      this.#version ??= 1;
      return this.#chained(value);
    }
    return fromHookMessage(value);
  }

  /** Lines of the first format are one chain; a compaction names the first kept one by number. */
  #chained(value: JsonObject): JsonObject {
    const { firstKeptEntryIndex, ...rest } = value;
    const kept = typeof firstKeptEntryIndex === 'number' ? this.#ids[firstKeptEntryIndex] : undefined;
    return fromHookMessage({
      ...rest,
      id: this.#ids.length.toString(16).padStart(8, '0'),
      parentId: this.#lastId,
      ...(kept === undefined ? {} : { firstKeptEntryId: kept }),
    });
  }
}

const firstTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
]);

function versionOf({ version, v }: JsonObject): number {
  if (typeof version === 'number') return version;
  return typeof v === 'number' ? v : 1;
}

function fromHookMessage(value: JsonObject): JsonObject {
  if (!isJsonObject(value.message) || value.message.role !== 'hookMessage') return value;
  return { ...value, message: { ...value.message, role: 'custom' } };
}

const flatRoles: Readonly<Record<string, string>> = { tool: 'toolResult' };

/** Moves the message's fields into it; unknown fields stay in the line. */
function fromFlatLine(line: JsonObject): JsonObject {
  const {
    id,
    parentId,
    timestamp,
    role,
    content,
    toolCalls,
    toolCallId,
    toolName,
    name,
    isError,
    ...unknown
  } = line;
  const time = typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : undefined;
  const storedRole = flatRoles[String(role)] ?? String(role);
  return {
    ...unknown,
    type: 'message',
    ...(id === undefined ? {} : { id }),
    parentId: parentId ?? null,
    timestamp: isoOf(timestamp),
    message: {
      role: storedRole,
      content: [...blocksOf(content), ...callsOf(toolCalls)],
      ...(toolCallId === undefined ? {} : { toolCallId, toolName: toolName ?? name ?? '' }),
      ...givenFields({ isError, timestamp: time }),
      ...(storedRole === 'assistant'
        ? { stopReason: callsOf(toolCalls).length > 0 ? 'toolUse' : 'stop' }
        : {}),
    },
  };
}

function blocksOf(content: JsonValue | undefined): readonly JsonValue[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function callsOf(toolCalls: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(toolCalls)) return [];
  return toolCalls.filter(isJsonObject).map(({ id, name, args, arguments: given, input }) => ({
    type: 'toolCall',
    id: id ?? '',
    name: name ?? '',
    arguments: args ?? given ?? input ?? {},
  }));
}

function isoOf(timestamp: JsonValue | undefined): string {
  const date = new Date(
    typeof timestamp === 'number' || typeof timestamp === 'string' ? timestamp : Number.NaN,
  );
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** The last line of an interrupted call; earlier versions named the user. */
const interruptedEnd = /(?:^|\n)Interrupted (?:by the user )?before it finished\.$/;

/** A message that an earlier version made, with the fields that it did not have. */
export function migrateMessage(message: Message): Message {
  if (message.role !== 'tool' || 'status' in message) return message;
  const { isError, content }: Pick<ToolMessage, 'isError' | 'content'> = message;
  return { ...(message as ToolMessage), ...toolEnd(guessStatus(isError, textOf(content))) };
}

/** The status of a call whose result lacks it: earlier versions and other programs only store errors. */
export function guessStatus(isError: boolean, text: string): ToolStatus {
  if (!isError) return 'success';
  if (text.startsWith('Permission denied:')) return 'denied';
  return interruptedEnd.test(text) ? 'aborted' : 'error';
}

const shellOpening = 'The user ran `';
const shellClosing = '` in the shell.\n';
const failureEnd = '\nIt did not succeed.';
const exitRemark = /(?:^|\n)\[(?:no output, )?exit code (\d+)(?: \(SIG[A-Z0-9]+\))?\]$/;

type ShellBody = Omit<ShellEntry, 'id' | 'parentId' | 'timestamp'>;

/** The command in a message by which earlier versions told the model about it; the model reads the same text. */
export function shellIn(message: Message): ShellBody | undefined {
  if (message.role !== 'user' || (message.origin !== 'reminder' && message.origin !== 'steering'))
    return undefined;
  const [first, ...others] = message.content;
  if (first?.type !== 'text' || others.length > 0 || !first.text.startsWith(shellOpening)) return undefined;
  const { text } = first;
  const commandEnd = text.indexOf(shellClosing, shellOpening.length);
  const report = text.slice(commandEnd + shellClosing.length);
  const hasFailed = report.endsWith(failureEnd);
  const body = fencedText(hasFailed ? report.slice(0, -failureEnd.length) : report);
  if (commandEnd < 0 || body === undefined) return undefined;
  const { id, timestamp } = message;
  const command = text.slice(shellOpening.length, commandEnd);
  const known = { type: 'shell', command, isPrivate: false, message: { id, timestamp } } as const;
  if (!hasFailed)
    return { ...known, output: body === '(no output)' ? '' : body, exitCode: 0, status: 'success' };
  const exit = exitRemark.exec(body);
  if (!exit) return { ...known, output: body, exitCode: null, status: 'error' };
  return { ...known, output: body.slice(0, exit.index), exitCode: Number(exit[1]), status: 'error' };
}

function fencedText(report: string): string | undefined {
  const fence = /^`{3,}(?=\n)/.exec(report)?.[0] ?? '';
  const isFenced = fence !== '' && report.endsWith(`\n${fence}`) && report.length >= 2 * fence.length + 2;
  return isFenced ? report.slice(fence.length + 1, -fence.length - 1) : undefined;
}
