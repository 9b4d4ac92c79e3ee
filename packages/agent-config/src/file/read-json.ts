import {
  AgentError,
  errorMessage,
  isJsonObject,
  isMissing,
  type JsonObject,
  parseJson,
  readRegularFile,
} from '@robota-sdk/agent-core';

export interface JsonFile {
  readonly path: string;
  readonly text: string;
  readonly value: JsonObject;
}

/** Reads a JSON file that may have comments; nothing if there is none. A broken file is an error, never "missing". */
export async function readJsonFile(path: string): Promise<JsonFile | undefined> {
  if (isMissing(path)) return undefined;
  const read = await readRegularFile(path, { largest: largestFile }).catch(
    (thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return undefined;
      throw new AgentError('config', `Cannot read the file: ${errorMessage(thrown)}`, {
        cause: thrown,
        source: { file: path },
      });
    },
  );
  if (read === undefined) return undefined;
  return parseJsonFile(read.toString(), path);
}

/** Far more than any file of settings that was written by hand. */
const largestFile = 4 * 1024 * 1024;

/** Parses the text of such a file. */
export async function parseJsonFile(written: string, path: string): Promise<JsonFile> {
  const text = written.replace(/^\ufeff/, '');
  assertShallow(text, path);
  const value = await parseJsonWithComments(text, path);
  await assertNoRepeatedKeys(text, path);
  if (isJsonObject(value)) return { path, text, value };
  throw new AgentError('config', 'Expected a JSON object like {"model": "…"}.', { source: { file: path } });
}

const deepestLevel = 100;

/** Brackets; texts and comments are passed over as a whole, also those without an end. */
const brackets =
  /"(?:\\.|[^"\\\n])*(?:"|\\?$|(?=\\?\n))|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)|[[\]{}]/g;

/** Deep nesting would overflow the stack of parsers and walkers. */
function assertShallow(text: string, path: string): void {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(brackets)) {
    if (part === '[' || part === '{') depth += 1;
    if (part === ']' || part === '}') depth -= 1;
    if (depth <= deepestLevel) continue;
    const { line } = positionOf(text, index);
    const message = `Nested deeper than ${deepestLevel} levels.`;
    throw new AgentError('config', message, { source: { file: path, line } });
  }
}

async function parseJsonWithComments(text: string, path: string): Promise<unknown> {
  // Plain JSON is the common case; the parser for comments is loaded only when it is needed.
  const plain = parseJson(text);
  if (plain !== undefined) return plain;
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const { line, column } = positionOf(text, first.offset);
  const problem = jsonProblem(printParseErrorCode(first.error));
  throw new AgentError('config', `Not valid JSON: ${problem}.`, {
    source: { file: path, line, column },
    hint: 'Correct it, or move the file away.',
  });
}

/** Of two keys of one name the last would count, and a list of denials could vanish without a word. */
async function assertNoRepeatedKeys(text: string, path: string): Promise<void> {
  const keys = [...text.matchAll(/"(permissions|deny|ask|allow|hooks|sandbox)"\s*:/g)].map(([, key]) => key);
  // Most files name none of these twice, and need no closer look.
  if (new Set(keys).size === keys.length) return;
  const { visit } = await import('jsonc-parser');
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const known = open.at(-1);
      if (!known?.has(key)) return void known?.add(key);
      const { line } = positionOf(text, offset);
      throw new AgentError('config', `Duplicate key "${key}": only one of them would count.`, {
        source: { file: path, line },
        hint: 'Join them.',
      });
    },
  });
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The line on which a string value stands in a JSON text, looked for behind a key; 1-based. */
export function lineOfString(text: string, value: string, key: string): number | undefined {
  const start = Math.max(0, text.indexOf(`"${key}"`));
  const at = text.indexOf(JSON.stringify(value), start);
  return at < 0 ? undefined : positionOf(text, at).line;
}

/** The line on which a key first stands in a JSON text; 1-based. */
export function lineOfKey(text: string, key: string): number | undefined {
  const at = text.search(new RegExp(`"${key.replace(/[^\w]/g, '\\$&')}"\\s*:`));
  return at < 0 ? undefined : positionOf(text, at).line;
}

/** The line on which the last key of a path stands, each key looked for behind the one before it; 1-based. */
export function lineOfPath(text: string, path: readonly (string | number)[]): number | undefined {
  let from = 0;
  let found = -1;
  for (const key of path) {
    if (typeof key === 'number') continue;
    const at = text.slice(from).search(new RegExp(`"${key.replace(/[^\w]/g, '\\$&')}"\\s*:`));
    if (at < 0) return undefined;
    found = from + at;
    from = found + key.length + 2;
  }
  return found < 0 ? undefined : positionOf(text, found).line;
}

/** Explains a JSON parser error. */
function jsonProblem(name: string): string {
  return problems.get(name) ?? name;
}

const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'invalid value; texts need quotation marks'],
  ['InvalidNumberFormat', 'invalid number'],
  ['PropertyNameExpected', 'expected a name in quotation marks'],
  ['ValueExpected', 'expected a value'],
  ['ColonExpected', 'expected ":"'],
  ['CommaExpected', 'expected ","'],
  ['CloseBraceExpected', 'expected "}"'],
  ['CloseBracketExpected', 'expected "]"'],
  ['EndOfFileExpected', 'unexpected text after the end'],
  ['InvalidCommentToken', 'a comment is not allowed here'],
  ['UnexpectedEndOfComment', 'the comment is not closed'],
  ['UnexpectedEndOfString', 'the text has no closing quotation mark'],
  ['UnexpectedEndOfNumber', 'the number is incomplete'],
  ['InvalidUnicode', '\\u needs four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'invalid escape after a backslash'],
  ['InvalidCharacter', 'a character that is not allowed in a text'],
]);
