import { given, givenFields } from '../model/given.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';

/** A call converted to a built-in tool. */
export interface OwnCall {
  readonly name: string;
  readonly input: JsonValue;
}

interface Alias {
  readonly name: string;
  /** Arguments with other names; the rest is unchanged. */
  readonly names?: Readonly<Record<string, string>>;
  /** Converts the input if renaming is not enough; undefined if our tool has no equivalent. */
  readonly convert?: (input: JsonObject) => JsonObject | undefined;
  /** Advice where ours has no equivalent. */
  readonly instead?: string;
}

type Aliases = Readonly<Record<string, Alias>>;

/** Tools of pi and rab. `ls` has no counterpart. */
export const piTools: Aliases = {
  read: { name: 'Read', names: { path: 'file_path' } },
  write: { name: 'Write', names: { path: 'file_path' } },
  edit: { name: 'Edit', names: { path: 'file_path' }, convert: piEdit },
  bash: { name: 'Bash', convert: secondsToMilliseconds },
  grep: { name: 'Grep', names: { ignoreCase: 'ignore_case', limit: 'head_limit' } },
  find: { name: 'Glob' },
};

/** Tools of Claude Code with another name here. */
export const claudeTools: Aliases = {
  Task: { name: 'Agent' },
  MultiEdit: { name: 'Edit' },
  Grep: { name: 'Grep', convert: claudeGrep },
};

/**
 * Tools of eidolon, without their namespace. Each takes all arguments of eidolon's schema; what ours cannot do, changes by
 * line number and appending, is refused with what to do instead.
 */
export const eidolonTools: Aliases = {
  bash: { name: 'Bash', names: { timeoutMs: 'timeout', timeout_ms: 'timeout' } },
  read_file: { name: 'Read', convert: eidolonRead },
  write_file: {
    name: 'Write',
    names: { path: 'file_path' },
    convert: unlessAppending,
    instead:
      'It has no mode "append". Read the file and add the text with SysBuiltIn.Edit, or write the whole file with mode "overwrite"',
  },
  edit_text: {
    name: 'Edit',
    convert: eidolonEdit,
    instead:
      'Of its actions only "replace" is there, with find and replace. For "insert" and "delete_range", quote the lines at the place in find, and give what belongs there in replace',
  },
  todo: { name: 'TodoWrite', names: { items: 'todos' } },
  todo_write: { name: 'TodoWrite', names: { items: 'todos' } },
};

/** Converts a stored call to a built-in tool if there is one; otherwise unchanged. */
export function toOwnCall(aliases: Aliases, name: string, input: JsonValue): OwnCall {
  const alias = find(aliases, name);
  if (!alias) return { name, input };
  if (!isJsonObject(input)) return { name: alias.name, input };
  const converted = alias.convert ? alias.convert(input) : input;
  if (!converted) return { name, input };
  return { name: alias.name, input: renamed(converted, alias.names ?? {}) };
}

function find(aliases: Aliases, name: string): Alias | undefined {
  const plain = name.replace(/^SysBuiltIn\./, '');
  return Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
}

function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}

function piEdit({ edits, oldText, newText, ...rest }: JsonObject): JsonObject {
  const single = givenFields({ old_string: oldText, new_string: newText });
  if (!Array.isArray(edits)) return { ...rest, ...single };
  const own = edits.map((edit: JsonValue) =>
    isJsonObject(edit) ? renamed(edit, { oldText: 'old_string', newText: 'new_string' }) : edit,
  );
  const [only] = own;
  return own.length === 1 && isJsonObject(only) ? { ...rest, ...only } : { ...rest, ...single, edits: own };
}

/** pi's command timeout is in seconds. */
function secondsToMilliseconds(input: JsonObject): JsonObject {
  return typeof input.timeout === 'number' ? { ...input, timeout: input.timeout * 1000 } : input;
}

function claudeGrep(input: JsonObject): JsonObject {
  const { '-i': ignoreCase, '-n': _, '-C': around, output_mode: mode, ...rest } = input;
  return {
    ...rest,
    ...given('output_mode', mode === 'files_with_matches' ? 'files' : mode),
    ...givenFields({ ignore_case: ignoreCase, context: around }),
  };
}

/** A limit in bytes is dropped: Read limits what it shows itself, and says how to continue. */
function eidolonRead(input: JsonObject): JsonObject {
  const { path, startLine, start_line, endLine, end_line, maxBytes: _, max_bytes: __, ...rest } = input;
  const first = startLine ?? start_line;
  const last = endLine ?? end_line;
  const from = typeof first === 'number' ? first : 1;
  const hasEnd = typeof last === 'number' && last >= from;
  return {
    ...given('file_path', path),
    ...(typeof first === 'number' ? { offset: first } : {}),
    ...(hasEnd ? { limit: last - from + 1 } : {}),
    ...rest,
  };
}

function unlessAppending({ mode, append, ...rest }: JsonObject): JsonObject | undefined {
  return mode === 'append' || (append !== undefined && append !== null && append !== false)
    ? undefined
    : rest;
}

/** Only a replacement by text has a counterpart; insertions and deletions by line number do not. Older models say `mode`. */
function eidolonEdit({ path, find, replace, action, mode, ...rest }: JsonObject): JsonObject | undefined {
  if (typeof find !== 'string' || typeof replace !== 'string') return undefined;
  const { insertAfter: _, insert_after: __, newText: ___, new_text: ____, range: _____, ...known } = rest;
  if ((action ?? mode ?? 'replace') !== 'replace') return undefined;
  return { ...given('file_path', path), old_string: find, new_string: replace, ...known };
}
