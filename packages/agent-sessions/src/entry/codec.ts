import {
  anyObject,
  anything,
  given,
  givenFields,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  lazy,
  list,
  nullable,
  number,
  object,
  parseJson,
  parseUsage,
  text,
  variants,
} from '@robota-sdk/agent-core';
import type { CompactionEntry, Entry, Fact, Line, OpaqueEntry, SessionHeader } from './entry.ts';
import { decodeMessage, encodeMessage } from './message-payload.ts';
import { type LineMigrator, shellIn } from './migrate.ts';
import { decodeShell, encodeShell } from './shell-entry.ts';

/** Why a line cannot be used. `foreign` lines are valid JSON of a kind that does not belong in the tree. */
export interface LineProblem {
  readonly kind: 'problem';
  readonly reason: 'not-json' | 'incomplete' | 'foreign';
}

/** One line of a session file, its line feed included. */
export function encodeLine(line: Line): string {
  if (line.kind === 'entry' && line.entry.type === 'opaque') return `${opaqueText(line.entry)}\n`;
  return `${JSON.stringify(toJson(line))}\n`;
}

/** Decodes one line; returns a problem instead of throwing. Older formats need a migrator. */
export function decodeLine(text: string, migrator?: LineMigrator): Line | LineProblem {
  const value = parseJson(text);
  if (!isJsonObject(value)) return problem('not-json');
  const decoded = decodeObject(migrator ? migrator.migrate(value) : value);
  // Only unknown lines are kept as written; others can be encoded again.
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
    timestamp: typeof value.timestamp === 'string' ? value.timestamp : '',
  };
  return type === 'message' ? decodeMessageLine(value, base) : decodeKnown(value, base);
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

/** The original bytes, unless the entry was moved. */
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
      ...givenFields({ message: message && { ...message }, tokensAfter, keptEntryIds }),
    },
  };
}

function header(value: JsonObject, id: string): Line {
  const known = headerShape.parse(value);
  const { version = 1, timestamp = '', cwd = '', parentSession, writer, importedFrom } = known ?? {};
  const optional = givenFields({ parentSession, writer, importedFrom });
  return { kind: 'header', header: { id, version, timestamp, cwd, ...optional } };
}

const headerShape = lazy(() =>
  object(
    {},
    {
      version: number,
      timestamp: text,
      cwd: text,
      parentSession: text,
      writer: text,
      importedFrom: object({ format: text, path: text, hash: text }),
    },
  ),
);

/** Fields of the lines beside messages. */
const lineFields = {
  session_info: [{}, { name: text }],
  label: [{ targetId: text }, { label: text }],
  leaf: [{ targetId: nullable(text) }],
  model_change: [{ provider: text, modelId: text }],
  thinking_level_change: [{ thinkingLevel: text }],
  compaction: [
    { summary: text },
    {
      firstKeptEntryId: text,
      tokensBefore: number,
      details: anything,
      usage: anyObject,
      robota: object(
        {},
        { message: object({ id: text, timestamp: number }), tokensAfter: number, keptEntryIds: list(text) },
      ),
    },
  ],
  branch_summary: [{ summary: text }, { fromId: text, details: anything, usage: anyObject }],
  custom: [{ customType: text }, { data: anything }],
} as const;
const lineShape = lazy(() => variants('type', lineFields));

function decodeKnown(value: JsonObject, base: Base): Line | LineProblem {
  const line = lineShape.parse(value);
  const asFact = (fact: Fact): Line => ({ kind: 'fact', fact });
  const asEntry = (entry: Entry): Line => ({ kind: 'entry', entry });
  switch (line?.type) {
    case 'session_info':
      return asFact({ ...base, type: line.type, name: line.name ?? '' });
    case 'label':
      return asFact({ ...base, type: line.type, targetId: line.targetId, label: line.label ?? '' });
    case 'leaf':
      return asFact({ ...base, type: line.type, targetId: line.targetId });
    case 'model_change':
      return asEntry({ ...base, type: line.type, provider: line.provider, modelId: line.modelId });
    case 'thinking_level_change':
      return asEntry({ ...base, type: line.type, thinkingLevel: line.thinkingLevel });
    case 'compaction': {
      const { type, summary, firstKeptEntryId = '', tokensBefore = 0, robota = {} } = line;
      const own = { ...given('message', robota.message), ...given('tokensAfter', robota.tokensAfter) };
      const kept = given('keptEntryIds', robota.keptEntryIds);
      const known = { ...base, type, summary, firstKeptEntryId, tokensBefore };
      return asEntry({ ...known, ...summaryFields(line), ...own, ...kept });
    }
    case 'branch_summary': {
      const { type, summary, fromId = '' } = line;
      return asEntry({ ...base, type, fromId, summary, ...summaryFields(line) });
    }
    case 'custom':
      return asEntry({ ...base, type: line.type, customType: line.customType, ...given('data', line.data) });
    case undefined:
      if (Object.hasOwn(lineFields, String(value.type))) return problem('incomplete');
      return asEntry({ ...base, type: 'opaque', raw: value });
  }
}

function summaryFields({ details, usage }: { readonly details?: JsonValue; readonly usage?: JsonObject }) {
  return { ...given('details', details), ...given('usage', usage && parseUsage(usage)) };
}

function decodeMessageLine(value: JsonObject, base: Base): Line | LineProblem {
  if (!isJsonObject(value.message)) return problem('incomplete');
  const message = decodeMessage(value.message, { entryId: base.id, timestamp: base.timestamp });
  const shell = message ? shellIn(message) : decodeShell(value.message);
  if (shell) return { kind: 'entry', entry: { ...base, ...shell } };
  if (!message) return { kind: 'entry', entry: { ...base, type: 'opaque', raw: value } };
  const unknown = unknownFields(value);
  return { kind: 'entry', entry: { ...base, type: 'message', message, ...(unknown ? { unknown } : {}) } };
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

function problem(reason: LineProblem['reason']): LineProblem {
  return { kind: 'problem', reason };
}
