import { basename, dirname, resolve } from 'node:path';
import {
  AgentError,
  decodeJson,
  describeMismatch,
  describeProblem,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  type Problem,
  type ProblemSource,
  parseRules,
  pathText,
  Report,
  readRegularFile,
  shorten,
  type TypeOf,
  warning,
} from '@robota-sdk/agent-core';
import type { TaskOrigin, TaskSpec } from '../contract/task.ts';
import { repositoryAt } from './repository-at.ts';
import { taskFields, taskShape } from './task-fields.ts';

/** The origin of the fields of a task, for messages and for relative paths. */
export interface TaskSource {
  readonly origin: TaskOrigin;
  /** The directory that a relative `repo` starts from, and the repository unless one is named. */
  readonly directory: string;
  /** The name unless a field gives one. */
  readonly name?: string;
  /** Fields that were found to be given in two ways before. */
  readonly twice?: readonly string[];
  /** The place of a field in its file. */
  locate(path: KeyPath): ProblemSource | undefined;
}

const longestTaskFile = 1024 * 1024;

/** Fields that options add to a task or put in place of its own; `directory` is that of the user. */
export interface TaskOverrides {
  readonly directory: string;
  readonly fields?: JsonObject;
}

/** Reads a task file; an error names each wrong field with its line. */
export async function readTaskFile(path: string, overrides: TaskOverrides): Promise<TaskSpec> {
  const file = resolve(overrides.directory, path);
  let content: string;
  try {
    content = (await readRegularFile(file)).toString('utf8');
  } catch (thrown) {
    throw new AgentError('usage', `The task file cannot be read: ${errorMessage(thrown)}.`, {
      source: { file: path },
    });
  }
  return parseTaskFile(content, { path, file, overrides });
}

/** Parses the text of a task file: Markdown with front matter. */
export async function parseTaskFile(
  content: string,
  {
    path,
    file,
    overrides,
  }: { readonly path: string; readonly file: string; readonly overrides?: TaskOverrides },
): Promise<TaskSpec> {
  const source = { file: path };
  if (content.length > longestTaskFile)
    throw new AgentError('usage', 'The task file is longer than 1 MB.', { source });
  const { parseFrontMatter } = await import('@robota-sdk/agent-sdk/front-end');
  const { data, body, head, problems } = await parseFrontMatter(content);
  const [first] = problems;
  if (first) throw new AgentError('usage', first.message, { source: { ...source, line: first.line } });
  assertOnce(head, source);
  const locate = (at: KeyPath) => ({ ...source, line: lineOf(head, at) });
  for (const [name, advice] of Object.entries(misplaced))
    if (name in data)
      throw new AgentError('usage', `Unknown field "${name}". ${advice}`, { source: locate([name]) });
  const known = knownNames(data);
  // The directory of an option is that of the user, not that of the file.
  const repo = overrides?.fields?.repo;
  const more =
    typeof repo === 'string' ? { repo: repositoryAt(repo, { directory: overrides?.directory ?? '.' }) } : {};
  return toSpec(
    { ...known.fields, ...overrides?.fields, ...more, prompt: body },
    {
      origin: { kind: 'file', path: file },
      directory: dirname(file),
      name: basename(file).replace(/\.[^.]*$/, ''),
      twice: known.twice,
      locate: (at) => (Object.hasOwn(overrides?.fields ?? {}, at[0] ?? '') ? optionAt(at) : locate(at)),
    },
  );
}

/** Makes a task of a prompt and of fields that options give. */
export function promptTask(prompt: string, { directory, fields = {} }: TaskOverrides): TaskSpec {
  return toSpec({ ...fields, prompt }, { origin: { kind: 'command' }, directory, locate: optionAt });
}

function optionAt([name]: KeyPath): ProblemSource | undefined {
  return name === undefined || name === 'prompt' ? undefined : { file: `--${name}` };
}

/** Parses lines of JSON, each with the fields of a task file and `prompt`. Empty lines are skipped. */
export function parseTaskLines(
  content: string,
  { name, directory }: { readonly name: string; readonly directory: string },
): readonly TaskSpec[] {
  return content.split('\n').flatMap((text, index) => {
    if (text.trim() === '') return [];
    const source = { file: name, line: index + 1 };
    const read = decodeJson(text);
    if (!read.ok) throw new AgentError('usage', `Not JSON: ${read.error}.`, { source });
    if (!isJsonObject(read.value))
      throw new AgentError('usage', 'Expected an object like {"prompt": "…"}.', { source });
    return [toSpec(read.value, { origin: { kind: 'command' }, directory, locate: () => source })];
  });
}

/** Makes a task of fields as they were written, with every default filled in. */
function toSpec(written: JsonObject, source: TaskSource): TaskSpec {
  const { fields, twice } = knownNames(written);
  const report = new Report();
  const read = taskShape.parse(fields, report);
  const prompt = typeof fields.prompt === 'string' ? fields.prompt.trim() : '';
  const problems = [
    ...[...twice, ...(source.twice ?? [])].map((name) =>
      fieldProblem(`Field "${name}" is given twice.`, [name], source),
    ),
    ...report.problems.map((found) =>
      describeMismatch(found, { noun: 'field', source: source.locate(found.path) }),
    ),
    ...ruleProblems(read?.permissions, source),
    ...(typeof fields.prompt === 'string' && prompt === ''
      ? [fieldProblem('The task has no prompt.', [], source)]
      : []),
    ...(/[\0\p{Cs}]/u.test(prompt)
      ? [fieldProblem('The prompt holds characters that cannot be stored: NUL, or half of one.', [], source)]
      : []),
  ];
  if (problems.length > 0 || !read) throw taskError(problems);
  return specOf(read, { prompt, source });
}

/** Fields that a user may expect, and what to write. */
const misplaced = {
  prompt: 'Write the prompt below the front matter.',
  allow: 'Write permissions: { allow: ["Bash(npm *)"] }.',
  deny: 'Write permissions: { deny: ["Bash(npm publish)"] }.',
};

/** Fields may be written in camelCase; `twice` names those given in both ways. */
function knownNames(written: JsonObject): { readonly fields: JsonObject; readonly twice: readonly string[] } {
  const fields = new Map<string, JsonValue>();
  const twice: string[] = [];
  for (const [key, value] of Object.entries(written)) {
    const dashed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const name = Object.hasOwn(taskFields, dashed) ? dashed : key;
    if (fields.has(name)) twice.push(name);
    fields.set(name, value);
  }
  return { fields: Object.fromEntries(fields), twice };
}

function specOf(
  { prompt: _, ...fields }: NonNullable<TypeOf<typeof taskShape>>,
  { prompt, source }: { readonly prompt: string; readonly source: TaskSource },
): TaskSpec {
  const optional = {
    base: fields.base,
    setup: fields.setup,
    check: fields.check,
    model: fields.model,
    maxCost: fields['max-cost'],
    maxTimeMs: fields['max-time'],
    maxTurns: fields['max-turns'],
  };
  const chosen = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return {
    name: fields.name ?? source.name ?? nameFrom(prompt),
    prompt,
    repo: repositoryAt(fields.repo ?? '.', source),
    ...(chosen as Partial<TaskSpec>),
    baseline: fields.baseline ?? 'require',
    attempts: fields.attempts ?? 1,
    keep: fields.keep ?? 'first',
    after: fields.after ?? [],
    permissions: fields.permissions ?? {},
    ask: fields.ask ?? 'park',
    deliver: fields.deliver ?? 'branch',
    sandbox: fields.sandbox ?? true,
    labels: fields.labels ?? [],
    priority: fields.priority ?? 100,
    origin: source.origin,
  };
}

const longestDerivedName = 60;

/** The first line of a prompt, without what would make it hard to read in a table. */
function nameFrom(prompt: string): string {
  const line = prompt.split('\n', 1)[0] ?? '';
  return shorten(line.replace(/\p{C}+|\s+/gu, ' ').trim() || 'task', longestDerivedName);
}

function ruleProblems(
  permissions: TypeOf<typeof taskShape>['permissions'] | undefined,
  source: TaskSource,
): Problem[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (permissions?.[list] ?? []).flatMap((text) => {
      const { problems } = parseRules({ [list]: [text] }, { source: 'task' });
      return problems.map(({ message, hint }) =>
        warning('field.invalid', `permissions.${list}: ${message}`, {
          source: source.locate(['permissions', list]),
          hint,
        }),
      );
    }),
  );
}

function fieldProblem(message: string, path: KeyPath, source: TaskSource): Problem {
  return warning('field.invalid', message, { subject: pathText(path), source: source.locate(path) });
}

/** One error for all that is wrong: the first problem, and the others on lines below it. */
function taskError(problems: readonly Problem[]): AgentError {
  const [first, ...others] = problems;
  if (!first) return new AgentError('usage', 'The task cannot be read.');
  const { message, source, hint, subject } = first;
  return new AgentError('usage', message, {
    source,
    hint,
    subject,
    details: others.map((problem) => describeProblem(problem)),
  });
}

/** YAML keeps the last of two fields with one name; here one of them would be lost without a word. */
function assertOnce(head: string, source: ProblemSource): void {
  const seen = new Set<string>();
  for (const [index, line] of head.split('\n').entries()) {
    const name = /^([A-Za-z][\w-]*):/.exec(line)?.[1];
    if (name === undefined) continue;
    if (seen.has(name))
      throw new AgentError('usage', `Field "${name}" is given twice.`, {
        source: { ...source, line: index + 2 },
      });
    seen.add(name);
  }
}

/** The line of a field in a front matter, or of the nearest field around it; the head begins on the second line. */
function lineOf(head: string, path: KeyPath): number | undefined {
  const lines = head.split('\n');
  let at = -1;
  for (const key of path.filter((part) => typeof part === 'string')) {
    const names = [key, key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    const found = lines.findIndex(
      (line, index) => index >= Math.max(at, 0) && names.some((name) => isKey(line, name)),
    );
    if (found < 0) break;
    at = found;
  }
  return at < 0 ? undefined : at + 2;
}

function isKey(line: string, name: string): boolean {
  const start = line.trimStart();
  return [name, `"${name}"`, `'${name}'`].some(
    (key) => start.startsWith(key) && start.slice(key.length).trimStart().startsWith(':'),
  );
}
