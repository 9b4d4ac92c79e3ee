import { isJsonObject, type JsonObject, parseJson } from './json.ts';
import { Report } from './report.ts';

/** Describes values from outside: JSON Schema for editors and programs, `parse` for us. */
export interface Shape<T> {
  readonly json: JsonObject;
  /** Completes "expected …" in messages. */
  readonly expected: string;
  /** Returns the usable part of a value, typed, and reports the rest; nothing if the value cannot be used at all. */
  parse(value: unknown, report?: Report): T | undefined;
  /** Shape of the value under a key or an index. */
  inner?(key: string | number): AnyShape | undefined;
  /** Known keys of an object. */
  readonly keys?: readonly string[] | undefined;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** The type that a shape describes. */
export type TypeOf<S> = S extends { readonly type?: infer T } ? Exclude<T, undefined> : never;

/** A shape of any type. */
export type AnyShape = Shape<unknown>;
type AnyFields = Readonly<Record<string, AnyShape>>;
type Required<F> = { readonly [K in keyof F]: TypeOf<F[K]> };
type Optional<F> = { readonly [K in keyof F]?: TypeOf<F[K]> };
type Flat<T> = { readonly [K in keyof T]: T[K] };

type Definition<T> = Omit<Shape<T>, 'json' | 'parse' | 'type'> & {
  readonly json: JsonObject | (() => JsonObject);
  /** Nothing where the value does not fit, which is reported by `expected`. */
  accept(value: unknown, report: Report): T | undefined;
};

function define<T>({ json, expected, inner, accept }: Definition<T>): Shape<T> {
  return {
    get json() {
      return typeof json === 'function' ? json() : json;
    },
    expected,
    ...(inner ? { inner } : {}),
    parse: (value, report = new Report()) => accept(value, report) ?? report.reportUnfit(expected, value),
  };
}

/** Gives a type to a schema that says less than the type. */
export function shape<T>(json: JsonObject): Shape<T> {
  const { type } = json;
  const isFit = (value: unknown) => typeof type !== 'string' || jsonTypes[type]?.(value) !== false;
  return define({
    json,
    expected: typeof type === 'string' ? `a value of type ${type}` : 'a value',
    accept: (value) => (isFit(value) ? (value as T) : undefined),
  });
}

const jsonTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

export const text: Shape<string> = define({
  json: { type: 'string' },
  expected: 'a string',
  accept: (value) => (typeof value === 'string' ? value : undefined),
});

export const flag: Shape<boolean> = define({
  json: { type: 'boolean' },
  expected: 'true or false',
  accept: (value, { isLenient }) => {
    const meant = isLenient && typeof value === 'string' ? parseJson(value.toLowerCase()) : value;
    return typeof meant === 'boolean' ? meant : undefined;
  },
});

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

function numeric(type: 'number' | 'integer', bounds: Bounds = {}): Shape<number> {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = bounds;
  const isRight = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  return define({
    json: { type, ...bounds },
    expected: `${type === 'integer' ? 'an integer' : 'a number'}${boundsText(bounds)}`,
    accept: (value, { isLenient }) => {
      const meant = isLenient && typeof value === 'string' ? parseJson(value) : value;
      const fits = typeof meant === 'number' && isRight(meant) && meant >= minimum && meant <= maximum;
      return fits && meant > exclusiveMinimum ? meant : undefined;
    },
  });
}

function boundsText({ minimum, maximum, exclusiveMinimum }: Bounds): string {
  const parts = [
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`of at most ${maximum}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

export const number = numeric('number');
export const integer = numeric('integer');
/** A number of zero or more. */
export const amount = numeric('number', { minimum: 0 });
/** An integer of one or more. */
export const count = numeric('integer', { minimum: 1 });

/** A number within bounds. */
export function numberWithin(bounds: Bounds): Shape<number> {
  return numeric('number', bounds);
}

/** One of several texts. */
export function words<const T extends string>(...choices: readonly T[]): Shape<T> {
  const listed = choices.map((choice) => JSON.stringify(choice)).join(', ');
  const expected = choices.length === 1 ? listed : `one of ${listed}`;
  return {
    json: choices.length === 1 ? { const: choices[0] ?? '' } : { type: 'string', enum: [...choices] },
    expected,
    parse: (value, report = new Report()) => {
      const found = choices.find((choice) => choice === value);
      if (found !== undefined || isPending(value, report)) return found ?? (value as T);
      return report.reportUnfit(expected, value, choices);
    },
  };
}

/** The environment fills such a text in later; it is checked then. */
export function isPending(value: unknown, { isLenient }: Report): boolean {
  return isLenient && typeof value === 'string' && value.includes('$ENV:');
}

/** A single value. */
export function exactly<const T extends string | boolean | null>(value: T): Shape<T> {
  const isSame = (other: unknown): other is T => other === value;
  return {
    json: { const: value },
    expected: JSON.stringify(value),
    parse: (other, report = new Report()) =>
      isSame(other) ? other : report.reportUnfit(JSON.stringify(value), other),
  };
}

/** A list whose items are read one by one: a bad item costs only itself. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return define<readonly T[]>({
    json: () => ({ type: 'array', items: item.json }),
    expected: 'a list',
    inner: (key) => (typeof key === 'number' ? item : undefined),
    accept: (value, report) => {
      const items = report.isLenient && typeof value === 'string' ? parseJson(value) : value;
      if (!Array.isArray(items)) return undefined;
      return items.flatMap((each, index) => report.below(index, item, each) ?? []);
    },
  });
}

/** An object with values of one shape under any keys. */
export function record<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return define<Readonly<Record<string, T>>>({
    json: () => ({ type: 'object', additionalProperties: value.json }),
    expected: 'an object',
    inner: (key) => (typeof key === 'string' ? value : undefined),
    accept: (given, report) => {
      const entries = entriesOf(given, report)?.flatMap(([key, each]) => {
        const parsed = isAbsent(each, report) ? undefined : report.below(key, value, each);
        return parsed === undefined ? [] : [[key, parsed] as const];
      });
      return entries && Object.fromEntries(entries);
    },
  });
}

/**
 * An object of known fields; those of the second list may be absent. A bad optional field costs only itself; unknown keys
 * are reported and kept.
 */
export function object<R extends AnyFields>(required: R): Shape<Required<R>>;
export function object<R extends AnyFields, O extends AnyFields>(
  required: R,
  optional: O,
): Shape<Flat<Required<R> & Optional<O>>>;
export function object(required: AnyFields, optional: AnyFields = {}): AnyShape {
  const names = Object.keys(required);
  const fields: AnyFields = { ...required, ...optional };
  const keys = Object.keys(fields);
  return {
    // Built when asked for: most fields are only read.
    get json() {
      return {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json])),
        ...(names.length > 0 ? { required: names } : {}),
      };
    },
    expected: 'an object',
    keys,
    inner: (key) => (Object.hasOwn(fields, key) ? fields[key] : undefined),
    parse: (given, report = new Report()) => {
      const entries = entriesOf(given, report);
      if (!entries) return report.reportUnfit('an object', given);
      const parsed: Record<string, unknown> = {};
      for (const [key, value] of entries) {
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
        if (!field) report.reportUnknown(key, keys);
        const read = field && !isAbsent(value, report) ? report.below(key, field, value) : undefined;
        const kept = field ? read : value;
        if (kept !== undefined) Object.defineProperty(parsed, key, { value: kept, ...plainProperty });
      }
      const lacking = names.filter((name) => !Object.hasOwn(parsed, name));
      for (const name of lacking) {
        const isThere = entries.some(([key, value]) => key === name && !isAbsent(value, report));
        if (!isThere) report.reportMissing(name, fields[name]?.expected ?? 'a value');
      }
      return lacking.length > 0 ? undefined : parsed;
    },
  };
}

/** Also right for a key named `__proto__`, which an assignment would not set. */
const plainProperty = { enumerable: true, configurable: true, writable: true };

function isAbsent(value: unknown, { isLenient }: Report): boolean {
  return value === undefined || (isLenient && value === null);
}

function entriesOf(given: unknown, { isLenient }: Report): [string, unknown][] | undefined {
  const value = isLenient && typeof given === 'string' ? parseJson(given) : given;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined;
}
