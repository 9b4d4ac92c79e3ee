import { errorMessage, isJsonObject, type JsonObject, parseJson } from '@robota-sdk/agent-core';
import { lenientEntries } from './lenient-entries.ts';
import { colonText, plainEntries, plainScalar, trimBlanks } from './plain-yaml.ts';

/** A Markdown file in its two parts. */
export interface FrontMatter {
  /** The fields between the dashes; empty if there are none. */
  readonly data: JsonObject;
  readonly body: string;
  /** The text between the dashes, which begins on the second line of the file. */
  readonly head: string;
  /** The front matter has no end: the whole file is in `body`. */
  readonly isUnfinished?: true;
  /** Unreadable parts, with their line, counted from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Splits a Markdown file and reads its front matter. YAML that others accept although it is none is read line by line. */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const split = splitFrontMatter(text);
  if (!split) return withoutEnd(text.replace(/^\uFEFF/, ''));
  const excess = excessIn(split.head);
  if (excess !== undefined) return { ...split, data: {}, problems: [{ line: 2, message: excess }] };
  // Most are so simple that reading them takes no library.
  const plain = plainEntries(split.head) ?? textsWithColons(split.head);
  if (plain) return { ...split, data: plain, problems: [] };
  return { ...split, ...(await parseYaml(split.head)) };
}

/** A text without front matter, unless it begins with one that is never closed; a line of dashes may also be just that. */
function withoutEnd(body: string): FrontMatter {
  const whole = { data: {}, head: '', body };
  if (!/^---[ \t]*\r?\n\s*[A-Za-z][\w-]*:(?:\s|$)/.test(body)) return { ...whole, problems: [] };
  const message = 'Unclosed front matter. Add a line "---" at its end.';
  return { ...whole, isUnfinished: true, problems: [{ line: 1, message }] };
}

/** The text between the dashes and the one behind them. */
function splitFrontMatter(text: string): { head: string; body: string } | undefined {
  const match = /^\uFEFF?---[ \t]*\r?\n(|[\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return undefined;
  return { head: match[1] ?? '', body: text.slice(match[0].length) };
}

const longestHead = 64 * 1024;
const deepestLevel = 30;

/** Why a front matter is not parsed: the time and the stack that the library needs grow fast with its depth. */
function excessIn(head: string): string | undefined {
  if (head.length > longestHead)
    return `The front matter is longer than ${longestHead / 1024} KB. It is ignored.`;
  const levels: number[] = [];
  let brackets = 0;
  for (const line of head.split('\n')) {
    const [, indent = '', marks = ''] = /^([ \t]*)((?:[-?][ \t]+)*)/.exec(line) ?? [];
    if (indent === '' && /^[A-Za-z]/.test(line)) brackets = 0;
    while ((levels.at(-1) ?? -1) >= indent.length) levels.pop();
    levels.push(indent.length);
    const depth = levels.length + marks.replaceAll(/[ \t]/g, '').length;
    for (const [bracket] of line.matchAll(/[[\]{}]/g)) {
      brackets = Math.max(0, brackets + (bracket === '[' || bracket === '{' ? 1 : -1));
      if (brackets > deepestLevel) break;
    }
    if (depth + brackets > deepestLevel)
      return `The front matter is nested deeper than ${deepestLevel} levels. It is ignored.`;
  }
  return undefined;
}

async function parseYaml(head: string): Promise<Pick<FrontMatter, 'data' | 'problems'>> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(head, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const [first] = document.errors;
  if (!first) return objectIn(() => document.toJS({ maxAliasCount: 20 }));
  const lenient = lenientEntries(head);
  // The front matter begins on the second line of the file.
  const line = lines.linePos(first.pos[0]).line + 1;
  if (!lenient) return { data: {}, problems: [{ line, message: first.message }] };
  const guess = {
    line,
    message: `The front matter is not valid YAML. It is read as ${summaryOf(lenient.data)}.`,
  };
  return { data: lenient.data, problems: lenient.isGuessed ? [guess] : unclosedLines(head) };
}

/** The fields that were found, with short values, so that a reader sees what became of the file. */
function summaryOf(data: JsonObject): string {
  return Object.entries(data)
    .map(([key, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      return text.length > 60 || text.includes('\n') ? key : `${key} "${text}"`;
    })
    .join(', ');
}

/** Lines with a list or a quoted text that has no end, which are read as plain texts. */
function unclosedLines(head: string): FrontMatter['problems'] {
  const all = head.split(/\r?\n/);
  return all.flatMap((line, index) => {
    const [, key, mark = ''] = /^([A-Za-z][\w-]*):[ \t]+([[{"'])/.exec(line) ?? [];
    const end = { '[': ']', '{': '}', '"': '"', "'": "'" }[mark];
    if (key === undefined || end === undefined || line.lastIndexOf(end) > line.indexOf(mark)) return [];
    const next = all.findIndex((other, at) => at > index && !/^\s/.test(other));
    if (all.slice(index + 1, next === -1 ? all.length : next).some((other) => other.includes(end))) return [];
    return [
      {
        line: index + 2,
        message: `"${key}" starts with ${mark} but has no ${end}; it is used as written.`,
      },
    ];
  });
}

function objectIn(read: () => unknown): Pick<FrontMatter, 'data' | 'problems'> {
  try {
    const value = parseJson(JSON.stringify(read() ?? {}));
    if (isJsonObject(value)) return { data: value, problems: [] };
    return {
      data: {},
      problems: [{ line: 2, message: 'The front matter is a list or a text; write "key: value" lines.' }],
    };
  } catch (thrown) {
    return { data: {}, problems: [{ line: 2, message: errorMessage(thrown) }] };
  }
}

/** The result of the lenient reader, if the library certainly fails. */
function textsWithColons(head: string): JsonObject | undefined {
  const values = head.split(/\r?\n/).flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const value = /^[A-Za-z][\w-]*:[ \t](.*)$/s.exec(line)?.[1];
    return [value === undefined ? undefined : trimBlanks(value)];
  });
  const isSimple = (value: string | undefined) =>
    value !== undefined && (plainScalar(value) ?? colonText(value)) !== undefined;
  const hasColon = values.some((value) => colonText(value ?? '') !== undefined);
  return hasColon && values.every(isSimple) ? lenientEntries(head)?.data : undefined;
}
