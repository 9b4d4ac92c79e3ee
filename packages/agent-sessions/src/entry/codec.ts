import { isJsonObject, type JsonObject, type JsonValue, type Usage } from '@robota-sdk/agent-core';
import type { CompactionEntry, Entry, Fact, Line, SessionHeader } from './entry.ts';
import { decodeMessage, encodeMessage } from './message-payload.ts';

/** Why a line can't be used. `foreign` lines are sound JSON of a kind that has no place in the tree. */
export interface LineProblem {
  readonly kind: 'problem';
  readonly reason: 'not-json' | 'incomplete' | 'foreign';
}

/** One line of a session file, its line feed included. */
export function encodeLine(line: Line): string {
  return `${JSON.stringify(toJson(line))}\n`;
}

/** Reads one line; whatever it holds, the answer is a value and never an exception. */
export function decodeLine(text: string): Line | LineProblem {
  const value = parse(text);
  if (!isJsonObject(value)) return problem('not-json');
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
      return { type: 'session', ...line.header };
    case 'fact':
      return { ...line.fact };
    case 'entry':
      return entryToJson(line.entry);
  }
}

function entryToJson(entry: Entry): JsonObject {
  const { id, parentId, timestamp } = entry;
  switch (entry.type) {
    case 'opaque':
      return { ...entry.raw, id, parentId, timestamp };
    case 'message':
      return { type: 'message', id, parentId, timestamp, message: encodeMessage(entry.message) };
    case 'compaction':
      return { type: 'compaction', id, parentId, timestamp, ...compactionToJson(entry) };
    default:
      return { ...entry };
  }
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
  const decoded: SessionHeader = {
    id,
    version: typeof value.version === 'number' ? value.version : 1,
    timestamp: stringOf(value.timestamp) ?? '',
    cwd: stringOf(value.cwd) ?? '',
    ...(parentSession === undefined ? {} : { parentSession }),
    ...(writer === undefined ? {} : { writer }),
  };
  return { kind: 'header', header: decoded };
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
      return asEntry(message ? { ...base, type, message } : { ...base, type: 'opaque', raw: value });
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
    case 'custom': {
      const { customType, data } = value;
      if (typeof customType !== 'string') return problem('incomplete');
      return asEntry({ ...base, type, customType, ...(data === undefined ? {} : { data }) });
    }
    default:
      return asEntry({ ...base, type: 'opaque', raw: value });
  }
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
    ...(isJsonObject(usage) ? { usage: usage as unknown as Usage } : {}),
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

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function problem(reason: LineProblem['reason']): LineProblem {
  return { kind: 'problem', reason };
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
