import { pluralize } from '@robota-sdk/agent-core';
import { explainFailure, failed, makeCall, type Plan, type PlanAnswer, type PlannedCall } from './plan.ts';

const mostLines = 60;
const mostFiles = 50;
const taskTimeout = 600_000;

/** Lists the files of a folder; the project unless given. */
export function* list(asked = '.', names = '*'): Plan {
  const path = placeOf(asked);
  const found = yield* makeCall('Glob', { pattern: `**/${names}`, ...path });
  if (found.isError) return failed(explainFailure('Glob', found));
  return {
    text: `Files${path.path === undefined ? '' : ` in \`${path.path}\``}:\n\n${block(head(found.text))}`,
  };
}

/** The names that files of a kind have: "typescript", "md", "*.md". */
export function namesOf(kind: string): string {
  const named: Readonly<Record<string, string>> = {
    typescript: '{ts,tsx,mts,cts}',
    javascript: '{js,jsx,mjs,cjs}',
    python: 'py',
    markdown: 'md',
    rust: 'rs',
    test: '{test,spec}.*',
  };
  return `*.${named[kind.toLowerCase()] ?? kind.replace(/^[*.]+/, '')}`;
}

/** Reads a file or some of its lines; one that is not where it was said to be is looked for by name. */
export function* read(asked: string, lines?: string): Plan {
  const { path, from, to } = fileOf(asked, lines);
  const extent = from === undefined ? {} : { offset: from, limit: Math.max(1, to - from + 1) };
  const direct = yield* makeCall('Read', { file_path: path, ...extent });
  if (!direct.isError) return { text: `\`${path}\`:\n\n${block(direct.text, path)}` };
  const problem = failed(explainFailure('Read', direct));
  if (direct.text.includes('IsDirectory')) return yield* list(path);
  if (direct.denied || !direct.text.includes('NotFound') || !/^[\w./-]+$/.test(path)) return problem;
  const found = yield* makeCall('Glob', { pattern: `**/{${path},${path}.*,${path.toUpperCase()}.*}` });
  const depth = (each: string) => each.split('/').length;
  const paths = pathsIn(found.isError ? '' : found.text);
  const nearest = paths.filter((each) => depth(each) === Math.min(...paths.map(depth)));
  const [only] = nearest;
  if (only === undefined || only === path) return problem;
  if (nearest.length > 1)
    return failed(
      `There is no \`${path}\` here, but several deeper; say which:\n\n${block(head(nearest.join('\n')))}`,
    );
  return yield* read(only, lines);
}

/** Shows what the project says of itself, and its files. */
export function* overview(): Plan {
  const found = yield* makeCall('Glob', { pattern: '**/*' });
  if (found.isError) return failed(explainFailure('Glob', found));
  const files = `Its files:\n\n${block(head(found.text))}`;
  const readme = pathsIn(found.text).find((path) => /^readme(?:\.\w+)?$/i.test(path));
  if (readme === undefined) return { text: files };
  const begun = yield* makeCall('Read', { file_path: readme, limit: mostLines });
  if (begun.isError) return failed(explainFailure('Read', begun));
  return { text: `\`${readme}\`:\n\n${block(begun.text, readme)}\n\n${files}` };
}

/** Finds a text as it stands; one in small letters in any. */
export function* search(what: string, asked = '.'): Plan {
  const looseness = what === what.toLowerCase() ? { ignore_case: true } : {};
  const found = yield* makeCall('Grep', { pattern: what, literal: true, ...looseness, ...placeOf(asked) });
  if (found.isError) return failed(explainFailure('Grep', found));
  return { text: found.text.startsWith('No matches') ? found.text : block(head(found.text)) };
}

/** Replaces the exact text in every file that has it; the first edit that is denied ends it. */
export function* replace(from: string, to: string, asked = '.'): Plan {
  const found = yield* makeCall('Grep', {
    pattern: from,
    literal: true,
    output_mode: 'files',
    ...placeOf(asked),
  });
  if (found.isError) return failed(explainFailure('Grep', found));
  const paths = pathsIn(found.text).slice(0, mostFiles);
  if (paths.length === 0) return { text: `${found.text} Nothing was changed.` };
  // Only a file that was read may be edited.
  yield { calls: paths.map((path): PlannedCall => ({ tool: 'Read', input: { file_path: path } })) };
  const done: string[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const change = { old_string: from, new_string: to, replace_all: true };
    const edited = yield* makeCall('Edit', { file_path: path, ...change });
    if (edited.denied) {
      problems.push(`${path}: ${explainFailure('Edit', edited)}`);
      break;
    }
    if (edited.isError) problems.push(`${path}: ${explainFailure('Edit', edited)}`);
    else done.push(edited.text);
  }
  const left = pathsIn(found.text).length - done.length;
  const rows = [...done, ...(left > 0 ? [`Not changed: ${pluralize(left, 'file')}.`] : []), ...problems];
  const text = rows.map((row) => `- ${row}`).join('\n');
  return problems.length > 0 ? failed(text) : { text };
}

/** Creates a file; Write refuses to replace one that was not read. */
export function* create(path: string, text = ''): Plan {
  const content = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const written = yield* makeCall('Write', { file_path: fileOf(path).path, content });
  return written.isError ? failed(explainFailure('Write', written)) : { text: written.text };
}

export function* run(command: string, timeout?: number): Plan {
  const result = yield* makeCall('Bash', { command, ...(timeout === undefined ? {} : { timeout }) });
  if (result.denied) return failed(explainFailure('Bash', result, command));
  const lines = result.text.split('\n').slice(-mostLines).join('\n');
  const text = `\`${command}\` ${result.isError ? 'failed' : 'succeeded'}:\n\n${block(lines)}`;
  return result.isError ? failed(text) : { text };
}

/** The commands of projects, by the file at their root that says which they are. */
const tasks = {
  'package.json': { test: 'npm test', build: 'npm run build', lint: 'npm run lint' },
  Makefile: { test: 'make test', build: 'make build', lint: 'make lint' },
  'Cargo.toml': { test: 'cargo test', build: 'cargo build', lint: 'cargo clippy' },
  'go.mod': { test: 'go test ./...', build: 'go build ./...', lint: 'go vet ./...' },
  'pyproject.toml': {
    test: 'python3 -m pytest -q',
    build: 'python3 -m build',
    lint: 'python3 -m ruff check',
  },
} as const;

/** Tests, builds or checks the project in the way of its kind. */
export function* runTask(task: 'test' | 'build' | 'lint'): Plan {
  const files = Object.keys(tasks) as (keyof typeof tasks)[];
  const found = yield* makeCall('Glob', { pattern: `{${files.join(',')}}` });
  if (found.isError) return failed(explainFailure('Glob', found));
  const file = files.find((name) => pathsIn(found.text).includes(name));
  if (file !== undefined) return yield* run(tasks[file][task], taskTimeout);
  return failed(
    `I found no way to ${task} this project: it has none of ${files.join(', ')}. Tell me the command: "run …".`,
  );
}

/** Does parts one after the other, keeping the todo list true if there is one; a part that fails ends it. */
export function* doParts(parts: readonly string[], plans: readonly Plan[], hasTodos: boolean): Plan {
  const reports: string[] = [];
  for (const [index, plan] of plans.entries()) {
    const part = parts[index];
    if (hasTodos)
      yield { say: `Step ${index + 1} of ${parts.length}: ${part}`, calls: [todos(parts, index)] };
    const answer: PlanAnswer = yield* plan;
    reports.push(`Step ${index + 1}, ${part}: ${answer.failed ? 'failed' : 'done'}.\n\n${answer.text}`);
    if (!answer.failed) continue;
    const left = parts.slice(index + 1).map((name) => `- ${name}`);
    return failed([...reports, ...(left.length > 0 ? [`Not begun:\n${left.join('\n')}`] : [])].join('\n\n'));
  }
  if (hasTodos) yield { calls: [todos(parts, parts.length)] };
  return { text: reports.join('\n\n') };
}

/** Writes parts down as todos and does none of them. */
export function* keepTodos(parts: readonly string[]): Plan {
  const [kept] = yield { calls: [todos(parts, -1)] };
  if (kept?.isError) return failed(explainFailure('TodoWrite', kept));
  return { text: `Kept as todos, none of them begun:\n\n${parts.map((part) => `- ${part}`).join('\n')}` };
}

function todos(parts: readonly string[], current: number): PlannedCall {
  const list = parts.map((content, index) => {
    const status = index === current ? 'in_progress' : index < current ? 'completed' : 'pending';
    return { content, status };
  });
  return { tool: 'TodoWrite', input: { todos: list } };
}

/** The paths that a tool gave, one a line, without its remarks. */
function pathsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^\[.*\]$|^No (?:files match|matches for) "/.test(line));
}

/** The folder to look in, as an input; nothing for the whole project. */
function placeOf(asked: string): { readonly path?: string } {
  const { path } = fileOf(asked);
  return /^(?:\.|project|repo|repository|folder|directory|here)$/i.test(path) ? {} : { path };
}

/** A path as the tools want it, and the lines in `README.md:2-3`. */
function fileOf(word: string, lines?: string) {
  const path = word.replace(/^@(?:file:)?/, '').replace(/(?<=[^/])\/$/, '');
  const [, file = path, range = lines] = /^(.*\.\w+):(\d{1,7}(?:-\d{1,7})?)$/.exec(path) ?? [];
  const [from, to = from ?? 0] = range?.split('-').map(Number) ?? [];
  return { path: file, from, to };
}

function head(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= mostLines) return text;
  return [...lines.slice(0, mostLines), `… and ${pluralize(lines.length - mostLines, 'more line')}`].join(
    '\n',
  );
}

/** A code block whose fence is longer than any in the text. */
function block(text: string, path = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/\.([a-z\d]+)$/i.exec(path)?.[1] ?? ''}\n${text}\n${fence}`;
}
