import { explainFailure } from '../engine/explain-failure.ts';
import { countText } from '../engine/folder-summary.ts';
import { failed, makeCall, type Plan, type Steps } from '../engine/plan.ts';
import { type FileText, parseFile, parsePaths } from '../engine/tool-output.ts';
import { cleanPath, fileNameOf, linesOfPath } from '../language/paths.ts';
import type { Intent, IntentContext } from './intent.ts';
import { listPath } from './list-files.ts';

const verb = '(read|show|print|cat|open|display|view|see|get)';

/** "read package.json", "show lines 10-20 of src/x.ts". */
export const readFileIntent: Intent = {
  name: 'read a file',
  examples: ['read package.json', 'show lines 10-20 of src/index.ts', 'show the last 20 lines of app.log'],
  patterns: [
    `${verb} (line|lines) {range:range} (of|in|from) [file] {path:path}`,
    `${verb} lines [from] {from:number} (to|through|until|and|-) {to:number} (of|in|from) [file] {path:path}`,
    `${verb} line {from:number} (of|in|from) [file] {path:path}`,
    `${verb} first {head:number} lines (of|in|from) [file] {path:path}`,
    `${verb} last {tail:number} lines (of|in|from) [file] {path:path}`,
    `${verb} {path:file} (line|lines) {range:range}`,
    `${verb} (content|contents) (of|in) [file] {path:file}`,
    `${verb} [file] {path:file}`,
    '(read|cat) [file] {path:path}',
    "(what is|what's|whats) in {path:file}",
    'what does {path:file} (contain|say)',
  ],
  plan: (captures, context) => showFile(cleanPath(captures.path ?? ''), extentOf(captures), context),
};

/** "show src": a file or a folder, whichever it is. */
export const showPathIntent: Intent = {
  name: 'show a file or folder',
  examples: [],
  patterns: [`${verb} {path:path} [(folder|directory)]`],
  plan: (captures, context) => showFile(cleanPath(captures.path ?? ''), extentOf(captures), context),
};

interface Extent {
  readonly from?: number;
  readonly to?: number;
  readonly tail?: number;
}

function extentOf(captures: Readonly<Record<string, string>>): Extent {
  const { path = '', from, to, head, tail, range = linesOfPath(path) } = captures;
  if (range !== undefined) {
    const [first = 1, last = first] = range.split(/-|–|\.\./).map(Number);
    return { from: Math.min(first, last), to: Math.max(first, last) };
  }
  if (head !== undefined) return { from: 1, to: Number(head) };
  if (tail !== undefined) return { tail: Number(tail) };
  if (from === undefined) return {};
  return { from: Number(from), to: Number(to ?? from) };
}

function* showFile(asked: string, extent: Extent, context: IntentContext): Plan {
  const { from, to } = extent;
  const lines =
    from === undefined || to === undefined
      ? {}
      : { offset: Math.max(1, from), limit: Math.max(1, to - from + 1) };
  const found = yield* readAnywhere(asked, lines);
  if (!found.ok) return found.isDirectory ? yield* listPath(asked, context) : failed(found.reason);
  return { text: render(found.path, found.text, found.file, extent) };
}

function render(path: string, ...[raw, file, extent]: [string, FileText, Extent]): string {
  if (file.lines.length === 0)
    return raw.trim() === '' ? `\`${path}\` is empty.` : `\`${path}\`: ${raw.trim()}`;
  const lines = extent.tail === undefined ? file.lines : file.lines.slice(-extent.tail);
  const first = file.first + file.lines.length - lines.length;
  const whole = first === 1 && extent.to === undefined && file.next === undefined;
  const extentText = whole ? countText(lines.length, 'line') : `lines ${first}–${first + lines.length - 1}`;
  const cut =
    file.next === undefined || extent.to !== undefined
      ? ''
      : `\n\nThe file continues at line ${file.next}; ask for further lines.`;
  return `\`${path}\` (${extentText}):\n\n${codeBlock(lines.join('\n'), path)}${cut}`;
}

/** A code block whose fence is longer than any in the text. */
export function codeBlock(text: string, path = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const language = /\.([a-z\d]+)$/i.exec(fileNameOf(path))?.[1] ?? '';
  return `${fence}${language}\n${text}\n${fence}`;
}

type FoundFile =
  | { readonly ok: true; readonly path: string; readonly file: FileText; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly isDirectory?: boolean };

/** Reads a file; one that is not where it was said to be is looked for by name. */
export function* readAnywhere(
  asked: string,
  lines: { readonly offset?: number; readonly limit?: number } = {},
): Steps<FoundFile> {
  const direct = yield* makeCall('Read', { file_path: asked, ...lines });
  if (!direct.isError) return { ok: true, path: asked, file: parseFile(direct), text: direct.text };
  const reason = explainFailure('Read', direct);
  if (direct.denied || !/\bNotFound\b|no such file|does not exist/i.test(direct.text))
    return { ok: false, reason, isDirectory: /\bIsDirectory\b/.test(direct.text) };
  const { paths } = parsePaths(yield* makeCall('Glob', { pattern: `**/${asked}` }));
  // "readme" means README.md, rather than a file of that name in a folder.
  if (!/[./\\]/.test(asked)) {
    const pattern = `{${asked},${asked.toUpperCase()}}.*`;
    const named = parsePaths(yield* makeCall('Glob', { pattern })).paths;
    const [shortest] = named.toSorted((one, other) => one.length - other.length);
    if (shortest !== undefined) return yield* readAnywhere(shortest, lines);
  }
  const [only, ...others] = paths;
  if (only === undefined) return { ok: false, reason };
  if (others.length > 0) {
    const choices = paths.slice(0, 10).map((path) => `- ${path}`);
    return {
      ok: false,
      reason: `There is no \`${asked}\` at the root, but several deeper; say which:\n${choices.join('\n')}`,
    };
  }
  const deeper = yield* makeCall('Read', { file_path: only, ...lines });
  if (deeper.isError) return { ok: false, reason: explainFailure('Read', deeper) };
  return { ok: true, path: only, file: parseFile(deeper), text: deeper.text };
}
