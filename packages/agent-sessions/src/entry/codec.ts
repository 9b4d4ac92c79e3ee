import { isJsonObject, type JsonObject, type JsonValue, parseJson, readUsage } from '@robota-sdk/agent-core';
import type {
  CompactionEntry,
  Entry,
  Fact,
  ImportOrigin,
  Line,
  OpaqueEntry,
  SessionHeader,
} from './entry.ts';
import { decodeMessage, encodeMessage } from './message-payload.ts';
import { type LineMigrator, shellIn } from './migrate.ts';
import { decodeShell, encodeShell } from './shell-entry.ts';

/** Why a line can't be used. `foreign` lines are sound JSON of a kind that has no place in the tree. */
export interface LineProblem {
  readonly kind: 'problem';
  readonly reason: 'not-json' | 'incomplete' | 'foreign';
}

/** One line of a session file, its line feed included. */
export function encodeLine(line: Line): string {
  if (line.kind === 'entry' && line.entry.type === 'opaque') return `${opaqueText(line.entry)}\n`;
  return `${JSON.stringify(toJson(line))}\n`;
}

/** Reads one line; whatever it holds, the answer is a value and never an exception. Older formats need a migrator. */
export function decodeLine(text: string, migrator?: LineMigrator): Line | LineProblem {
  const value = parseJson(text);
  if (!isJsonObject(value)) return problem('not-json');
  const decoded = decodeObject(migrator ? migrator.migrate(value) : value);
  // Only lines that could not be understood are kept as they were written; the others can be written again.
  return decoded.kind === 'entry' && decoded.entry.type === 'opaque' && decoded.entry.raw === value
    ? { kind: 'entry', entry: { ...decoded.entry, text } }
    : decoded;
}

/** Reads a line that was parsed already. */
export function decodeObject(value: JsonObject): Line | LineProblem {
  const { type, id } = value;
  if (type === 'session') return typeof id === 'string' ? header(value, id) : problem('incomplete');
  if (typeof type !== 'string' || typeof id !== 'string' || id === '') return problem('foreign');
  const base = {
    id,
    parentId: typeof value.parentId === 'string' ? value.parentId : null,
    timestamp: stringOf(value.timestamp) ?? '',
  };
  return decodeFact(value, base) ?? decodeEntry(value, base);
}

type Base = Pick<Entry, 'id' | 'parentId' | 'timestamp'>;

function toJson(line: Line): JsonObject {
  switch (line.kind) {
    case 'header':
      return headerToJson(line.header);
    case 'fact':
      return { ...line.fact };
    case 'entry':
      return entryToJson(line.entry);
  }
}

function headerToJson({ importedFrom, ...rest }: SessionHeader): JsonObject {
  return {
    type: 'session',
    ...rest,
    ...(importedFrom === undefined ? {} : { importedFrom: { ...importedFrom } }),
  };
}

function entryToJson(entry: Entry): JsonObject {
  const { id, parentId, timestamp } = entry;
  switch (entry.type) {
    case 'opaque':
      return { ...entry.raw, id, parentId };
    case 'message': {
      const line = { type: 'message', id, parentId, timestamp, message: encodeMessage(entry.message) };
      return entry.unknown ? { ...entry.unknown, ...line } : line;
    }
    case 'shell':
      return { type: 'message', id, parentId, timestamp, message: encodeShell(entry) };
    case 'compaction':
      return { type: 'compaction', id, parentId, timestamp, ...compactionToJson(entry) };
    case 'branch_summary': {
      const { usage, ...rest } = entry;
      return { ...rest, ...(usage === undefined ? {} : { usage: { ...usage } }) };
    }
    default:
      return { ...entry };
  }
}

/** Byte for byte what was read, unless the entry got another place. */
function opaqueText(entry: OpaqueEntry): string {
  const isInPlace = (entry.raw.parentId ?? null) === entry.parentId;
  return entry.text !== undefined && isInPlace ? entry.text : JSON.stringify(entryToJson(entry));
}

function compactionToJson(entry: CompactionEntry): JsonObject {
  const { summary, firstKeptEntryId, tokensBefore, details, usage, message, tokensAfter, keptEntryIds } =
    entry;
  return {
    summary,
    firstKeptEntryId,
    tokensBefore,
    ...(details === undefined ? {} : { details }),
    ...(usage === undefined ? {} : { usage: { ...usage } }),
    robota: {
      ...(message === undefined ? {} : { message: { ...message } }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
      ...(keptEntryIds === undefined ? {} : { keptEntryIds }),
    },
  };
}

function header(value: JsonObject, id: string): Line {
  const parentSession = stringOf(value.parentSession);
  const writer = stringOf(value.writer);
  const importedFrom = importOriginOf(value.importedFrom);
  const decoded: SessionHeader = {
    id,
    version: typeof value.version === 'number' ? value.version : 1,
    timestamp: stringOf(value.timestamp) ?? '',
    cwd: stringOf(value.cwd) ?? '',
    ...(parentSession === undefined ? {} : { parentSession }),
    ...(writer === undefined ? {} : { writer }),
    ...(importedFrom === undefined ? {} : { importedFrom }),
  };
  return { kind: 'header', header: decoded };
}

function importOriginOf(value: JsonValue | undefined): ImportOrigin | undefined {
  if (!isJsonObject(value)) return undefined;
  const { format, path, hash } = value;
  if (typeof format !== 'string' || typeof path !== 'string' || typeof hash !== 'string') return undefined;
  return { format, path, hash };
}

function decodeFact(value: JsonObject, base: Base): Line | LineProblem | undefined {
  const asFact = (fact: Fact): Line => ({ kind: 'fact', fact });
  const { type, targetId } = value;
  switch (type) {
    case 'session_info':
      return asFact({ ...base, type, name: stringOf(value.name) ?? '' });
    case 'label':
      if (typeof targetId !== 'string') return problem('incomplete');
      return asFact({ ...base, type, targetId, label: stringOf(value.label) ?? '' });
    case 'leaf':
      if (typeof targetId !== 'string' && targetId !== null) return problem('incomplete');
      return asFact({ ...base, type, targetId });
    default:
      return undefined;
  }
}

function decodeEntry(value: JsonObject, base: Base): Line | LineProblem {
  const asEntry = (entry: Entry): Line => ({ kind: 'entry', entry });
  const { type } = value;
  switch (type) {
    case 'message': {
      if (!isJsonObject(value.message)) return problem('incomplete');
      const message = decodeMessage(value.message, { entryId: base.id, timestamp: base.timestamp });
      const shell = message ? shellIn(message) : decodeShell(value.message);
      if (shell) return asEntry({ ...base, ...shell });
      if (!message) return asEntry({ ...base, type: 'opaque', raw: value });
      const unknown = unknownFields(value);
      return asEntry(unknown ? { ...base, type, message, unknown } : { ...base, type, message });
    }
    case 'model_change': {
      const { provider, modelId } = value;
      if (typeof provider !== 'string' || typeof modelId !== 'string') return problem('incomplete');
      return asEntry({ ...base, type, provider, modelId });
    }
    case 'thinking_level_change': {
      const { thinkingLevel } = value;
      return typeof thinkingLevel === 'string'
        ? asEntry({ ...base, type, thinkingLevel })
        : problem('incomplete');
    }
    case 'compaction':
      return decodeCompaction(value, base);
    case 'branch_summary': {
      const { summary, details, usage } = value;
      if (typeof summary !== 'string') return problem('incomplete');
      return asEntry({
        ...base,
        type,
        fromId: stringOf(value.fromId) ?? '',
        summary,
        ...(details === undefined ? {} : { details }),
        ...(isJsonObject(usage) ? { usage: readUsage(usage) } : {}),
      });
    }
    case 'custom': {
      const { customType, data } = value;
      if (typeof customType !== 'string') return problem('incomplete');
      return asEntry({ ...base, type, customType, ...(data === undefined ? {} : { data }) });
    }
    default:
      return asEntry({ ...base, type: 'opaque', raw: value });
  }
}

const messageFields: ReadonlySet<string> = new Set(['type', 'id', 'parentId', 'timestamp', 'message']);

/** Fields of later versions or other programs. */
function unknownFields(value: JsonObject): JsonObject | undefined {
  let unknown: Record<string, JsonValue> | undefined;
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (messageFields.has(key) || field === undefined || key === '__proto__') continue;
    unknown ??= {};
    unknown[key] = field;
  }
  return unknown;
}

function decodeCompaction(value: JsonObject, base: Base): Line | LineProblem {
  const { summary, firstKeptEntryId, tokensBefore, details, usage } = value;
  if (typeof summary !== 'string') return problem('incomplete');
  const own = isJsonObject(value.robota) ? value.robota : {};
  const { message, tokensAfter, keptEntryIds } = own;
  const entry: CompactionEntry = {
    ...base,
    type: 'compaction',
    summary,
    firstKeptEntryId: stringOf(firstKeptEntryId) ?? '',
    tokensBefore: typeof tokensBefore === 'number' ? tokensBefore : 0,
    ...(details === undefined ? {} : { details }),
    ...(isJsonObject(usage) ? { usage: readUsage(usage) } : {}),
    ...identityOf(message),
    ...(typeof tokensAfter === 'number' ? { tokensAfter } : {}),
    ...(Array.isArray(keptEntryIds)
      ? { keptEntryIds: keptEntryIds.filter((id) => typeof id === 'string') }
      : {}),
  };
  return { kind: 'entry', entry };
}

function identityOf(message: JsonValue | undefined): Pick<CompactionEntry, 'message'> {
  if (!isJsonObject(message)) return {};
  const { id, timestamp } = message;
  return typeof id === 'string' && typeof timestamp === 'number' ? { message: { id, timestamp } } : {};
}

function problem(reason: LineProblem['reason']): LineProblem {
  return { kind: 'problem', reason };
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
