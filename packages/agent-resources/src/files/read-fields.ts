import type { FrontMatter } from '@robota-sdk/agent-config';
import {
  addSentence,
  count,
  describeMismatch,
  either,
  flag,
  instance,
  type JsonObject,
  list,
  mapped,
  meantKey,
  type Problem,
  parseRule,
  Report,
  type Shape,
  splitRules,
  text,
  warning,
} from '@robota-sdk/agent-core';

/** A front matter field: its shape, and its names in the dialects. */
interface Field<T> {
  readonly shape: Shape<T>;
  readonly names: readonly string[];
}

/** Describes a field; the first of its names that is present counts. */
export function field<T>(shape: Shape<T>, ...names: readonly string[]): Field<T> {
  return { shape, names };
}

type FieldValues<F> = {
  readonly [K in keyof F]?: F[K] extends Field<infer T> ? Exclude<T, undefined> : never;
};

/** A front matter and its file. */
export interface FrontMatterSource {
  readonly path: string;
  readonly matter: FrontMatter;
}

interface FieldOptions {
  /** Other known names, which have no effect. */
  readonly ignored: readonly string[];
  /** Fields of other programs that would change what happens; Robota lacks them, and says what to do. */
  readonly lacking?: { readonly names: readonly string[]; readonly hint: string };
}

/**
 * Reads the fields of a front matter. An invalid field is skipped. Unknown fields may belong to another program: only
 * those that resemble a known name are reported.
 */
export function readFields<F extends Readonly<Record<string, Field<unknown>>>>(
  fields: F,
  from: FrontMatterSource,
  { ignored, lacking }: FieldOptions,
): { readonly values: FieldValues<F>; readonly problems: Problem[] } {
  const { data } = from.matter;
  const report = new Report();
  const unreadable: Problem[] = [];
  const values = Object.entries(fields).flatMap(([key, { shape, names }]) => {
    const name = names.find((each) => Object.hasOwn(data, each));
    if (name === undefined || data[name] === null) return [];
    const value = report.below(name, shape, data[name]);
    const rules = shape === ruleList ? (scalarList.parse(value) ?? []) : [];
    const unread = rules.filter((rule) => !isReadable(rule));
    unreadable.push(...unread.map((rule) => fieldProblem(from, name, `has an unreadable rule "${rule}"`)));
    return value === undefined ? [] : [[key, value]];
  });
  const known = Object.values(fields).flatMap(({ names }) => names);
  reportUnknown(data, [...known, ...ignored, ...(lacking?.names ?? [])], report);
  const problems = report.problems.map((found): Problem => {
    const source = sourceOf(from, String(found.path[0]));
    const problem = { ...describeMismatch(found, { source }), code: 'front-matter.field', isInactive: true };
    return found.kind === 'unknown' ? problem : addSentence(problem, 'It is ignored.');
  });
  return {
    values: Object.fromEntries(values) as FieldValues<F>,
    problems: [...syntaxProblems(from), ...unreadable, ...problems, ...lackedProblems(from, lacking)],
  };
}

function lackedProblems(from: FrontMatterSource, lacking: FieldOptions['lacking']): Problem[] {
  const names = lacking?.names.filter((name) => Object.hasOwn(from.matter.data, name)) ?? [];
  const [first] = names;
  if (first === undefined) return [];
  const message = `Robota ignores ${names.map((name) => `"${name}"`).join(', ')}.`;
  const source = sourceOf(from, first);
  return [
    warning('front-matter.lacking', message, {
      subject: first,
      source,
      hint: lacking?.hint,
      isInactive: true,
    }),
  ];
}

function reportUnknown(data: JsonObject, known: readonly string[], report: Report): void {
  for (const key of Object.keys(data)) {
    if (known.includes(key) || meantKey({ kind: 'unknown', path: [key], known }) === undefined) continue;
    report.reportUnknown(key, known);
  }
}

/** The problems of a front matter that is not valid YAML. */
export function syntaxProblems({ path, matter }: FrontMatterSource): Problem[] {
  return matter.problems.map(({ line, message }) =>
    warning('front-matter.invalid', message, { source: { file: path, line }, isInactive: true }),
  );
}

/** A problem of a field that is used anyway. */
export function fieldProblem(from: FrontMatterSource, name: string, problem: string): Problem {
  const source = sourceOf(from, name);
  return warning('front-matter.field', `"${name}" ${problem}.`, { subject: name, source, isInactive: true });
}

function sourceOf({ path, matter }: FrontMatterSource, name: string): Problem['source'] {
  const index = matter.head.split('\n').findIndex((line) => line.startsWith(`${name}:`));
  return { file: path, line: index < 0 ? undefined : index + 2 };
}

/** A text, which YAML may read as a number or a flag. An empty one counts as absent. */
export const scalarText: Shape<string | undefined> = mapped(
  instance('a string', (value): value is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof value),
  ),
  (value) => String(value).trim() || undefined,
);

/** True or false, also in quotation marks. */
export const scalarFlag: Shape<boolean> = mapped(
  instance(flag.expected, (value): value is boolean | 'true' | 'false' =>
    [true, false, 'true', 'false'].includes(value as boolean | string),
  ),
  (value) => String(value) === 'true',
);

/** An integer of one or more, also in quotation marks. */
export const scalarCount: Shape<number> = mapped(
  instance(count.expected, (value): value is number | string => {
    const isScalar = typeof value === 'number' || typeof value === 'string';
    return isScalar && count.parse(Number(value)) !== undefined;
  }),
  Number,
);

/** A list, or a text with commas or blanks between its items; those inside parentheses belong to their item. */
export const scalarList: Shape<readonly string[]> = mapped(either(list(scalarText), text), (value) =>
  typeof value === 'string' ? splitRules(value) : value.flatMap((item) => item ?? []),
);

/** A list of permission rules. */
export const ruleList: Shape<readonly string[]> = mapped(scalarList, (rules) => rules);

/** The argument hint: `[file]` is a list in YAML but means text. */
export const argumentHint: Shape<string | undefined> = mapped(
  either(scalarText, list(scalarText)),
  (value) => (typeof value === 'object' ? `[${value.join(', ')}]` : value),
);

function isReadable(rule: string): boolean {
  const parsed = parseRule(rule, { source: '' });
  return parsed.ok || parsed.problem.code !== 'rule.malformed';
}
