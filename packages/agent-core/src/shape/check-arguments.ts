import { AgentError } from '../problem/agent-error.ts';
import { endSentence } from '../problem/end-sentence.ts';
import { summarizeProblem } from '../problem/problem.ts';
import { checked, instance } from './combine.ts';
import { describeMismatch, Report } from './report.ts';
import { type AnyShape, type Shape, text } from './shape.ts';

/** The arguments of a call by the names of their parameters, each with the shape it must have. */
export type Arguments = Readonly<Record<string, readonly [value: unknown, shape: AnyShape]>>;

/** Refuses wrong arguments of a public call, with the same kind of error as wrong options. */
export function checkArguments(call: string, args: Arguments): void {
  for (const [name, [value, shape]] of Object.entries(args)) {
    const report = new Report();
    try {
      report.below(name, shape, value);
      // A getter or a proxy that throws would fail somewhere else later.
      if (isObject(value)) void { ...value };
    } catch (cause) {
      throw new AgentError('usage', `${call}: ${name} cannot be read.`, { cause });
    }
    const [problem] = report.problems;
    if (!problem) continue;
    const { message, ...rest } = describeMismatch(problem, { noun: 'option' });
    throw new AgentError('usage', `${call}: ${endSentence(summarizeProblem({ ...rest, message }))}`);
  }
}

/** The value may be left out. */
export function optional<T>(value: Shape<T>): Shape<T | undefined> {
  return {
    json: value.json,
    expected: value.expected,
    keys: value.keys,
    parse: (each, report) => (each === undefined ? undefined : value.parse(each, report)),
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of a value that may be anything. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && name in value ? value[name as keyof typeof value] : undefined;
}

export const objectInstance = instance('an object', isObject);

export const callback = instance(
  'a function',
  (value): value is () => unknown => typeof value === 'function',
);

/** An object with these fields, and any others: an instance of a class, or what the program made of it. */
export function having(fields: Readonly<Record<string, AnyShape>>): Shape<object> {
  return {
    json: {},
    expected: 'an object',
    parse: (value, report = Report.quiet()) => {
      if (!isObject(value)) return report.reportUnfit('an object', value);
      for (const [name, shape] of Object.entries(fields)) report.below(name, shape, fieldOf(value, name));
      return value;
    },
  };
}

/** Anything that can be read. */
export const anyValue: Shape<unknown> = { json: {}, expected: 'a value', parse: (value) => value };

export const abortSignal = instance(
  'an AbortSignal',
  (value): value is AbortSignal => value instanceof AbortSignal,
);

export const pathShape = checked(text, 'a path', (value) => !value.includes('\0'));
