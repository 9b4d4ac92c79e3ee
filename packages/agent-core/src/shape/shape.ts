import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { type KeyPath, Report } from './report.ts';

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
  readonly keys?: readonly string[];
  /** Carries the type; never set. */
  readonly type?: T;
}

/** Resolves to true if a shape describes exactly a type: no field more or less, optional ones included. */
type Describes<S, T> =
  (<X>() => X extends Plain<TypeOf<S>> ? 1 : 2) extends <X>() => X extends Plain<T> ? 1 : 2 ? true : false;

/** The same type without intersections, which the compiler tells from the objects they come to. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** The type that a shape describes. */
export type TypeOf<S> = S extends { readonly type?: infer T } ? Exclude<T, undefined> : never;

/** A shape of any type. */
export type AnyShape = Shape<unknown>;
type AnyFields = Readonly<Record<string, AnyShape>>;
type Required<F> = { readonly [K in keyof F]: TypeOf<F[K]> };
type Optional<F> = { readonly [K in keyof F]?: TypeOf<F[K]> };
type Flat<T> = { readonly [K in keyof T]: T[K] };

type Definition<T> = Omit<Shape<T>, 'parse' | 'type'> & {
  /** Nothing where the value does not fit, which is reported by `expected`. */
  accept(value: unknown, report: Report): T | undefined;
};

function define<T>({ accept, ...rest }: Definition<T>): Shape<T> {
  return {
    ...rest,
    parse: (value, report = new Report()) =>
      accept(value, report) ?? report.reportUnfit(rest.expected, value),
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
    const meant = isLenient && typeof value === 'string' ? unquoted(value.toLowerCase()) : value;
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
      const meant = isLenient && typeof value === 'string' ? unquoted(value) : value;
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
  return define({
    json: choices.length === 1 ? { const: choices[0] ?? '' } : { type: 'string', enum: [...choices] },
    expected: choices.length === 1 ? listed : `one of ${listed}`,
    accept: (value, report) =>
      choices.find((choice) => choice === value) ?? (isPending(value, report) ? (value as T) : undefined),
  });
}

/** The environment fills such a text in later; it is checked then. */
function isPending(value: unknown, { isLenient }: Report): boolean {
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
    json: { type: 'array', items: item.json },
    expected: 'a list',
    inner: (key) => (typeof key === 'number' ? item : undefined),
    accept: (value, report) => {
      const items = report.isLenient && typeof value === 'string' ? unquoted(value) : value;
      if (!Array.isArray(items)) return undefined;
      return items.flatMap((each, index) => report.below(index, item, each) ?? []);
    },
  });
}

export function nullable<T>(value: Shape<T>): Shape<T | null> {
  return {
    ...value,
    json: { anyOf: [value.json, { type: 'null' }] },
    parse: (each, report) => (each === null ? null : value.parse(each, report)),
  };
}

/** An object with values of one shape under any keys. */
export function record<T>(value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return define<Readonly<Record<string, T>>>({
    json: { type: 'object', additionalProperties: value.json },
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
    json: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.json])),
      ...(names.length > 0 ? { required: names } : {}),
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
  const value = isLenient && typeof given === 'string' ? unquoted(given) : given;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : undefined;
}

function unquoted(written: string): JsonValue | undefined {
  try {
    return JSON.parse(written) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Any of several: the first that fits as it stands, else the first that fits with leniency. */
export function either<const S extends readonly AnyShape[]>(...shapes: S): Shape<TypeOf<S[number]>> {
  const expected = shapes.map((each) => each.expected).join(' or ');
  return {
    json: { anyOf: shapes.map((each) => each.json) },
    expected,
    keys: shapes.flatMap((each) => each.keys ?? []),
    inner: (key) => {
      const found = shapes.flatMap((each) => each.inner?.(key) ?? []);
      return found[0];
    },
    parse: (value, report = new Report()) => {
      for (const lenient of report.isLenient ? [false, true] : [false]) {
        for (const each of shapes) {
          const trial = report.trial(each, value, lenient);
          if (trial.isFit) return trial.accept() as TypeOf<S[number]>;
        }
      }
      const trials = shapes.map((each) => report.trial(each, value));
      const nearest = trials.reduce((best, each) => (each.depth > best.depth ? each : best));
      const isDeeper = trials.some((each) => each.depth < nearest.depth);
      return isDeeper ? (nearest.accept() as TypeOf<S[number]>) : report.reportUnfit(expected, value);
    },
  };
}

/** The same with a description. */
export function described<T>(value: Shape<T>, description: string): Shape<T> {
  return { ...value, json: { description, ...value.json } };
}

/** The same with the value that is used without one. */
export function withDefault<T>(value: Shape<T>, preset: T & JsonValue): Shape<T> {
  return { ...value, json: { ...value.json, default: preset } };
}

/** Only values that a check accepts; `expected` names them. */
export function checked<T>(value: Shape<T>, expected: string, isRight: (value: T) => boolean): Shape<T> {
  return define({
    ...value,
    expected,
    accept: (each, report) => {
      const trial = report.trial(value, each);
      const { parsed } = trial;
      if (parsed === undefined || !trial.isFit) return undefined;
      return isPending(parsed, report) || isRight(parsed) ? trial.accept() : undefined;
    },
  });
}

/** A value that is translated after it was read. */
export function mapped<T, U>(value: Shape<T>, translate: (value: T) => U): Shape<U> {
  return {
    json: value.json,
    expected: value.expected,
    ...(value.keys ? { keys: value.keys } : {}),
    ...(value.inner ? { inner: value.inner } : {}),
    parse: (each, report = new Report()) => {
      const parsed = value.parse(each, report);
      return parsed === undefined ? undefined : translate(parsed);
    },
  };
}

/** A value that is used as a whole or not at all; a bad one costs only itself. */
export function whole<T>(value: Shape<T>): Shape<T> {
  return { ...value, parse: (each, report = new Report()) => report.whole(value, each) };
}

/** Address of a server. */
export const url: Shape<string> = checked(
  text,
  'a URL that begins with http:// or https://',
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
);

/** A text with more than blanks, trimmed. */
export const nonEmptyText: Shape<string> = mapped(
  checked(text, 'a string that is not empty', (value) => value.trim() !== ''),
  (value) => value.trim(),
);

/** Values only a program can give, such as functions; JSON has nothing for them. */
export function instance<T>(expected: string, isRight: (value: unknown) => value is T): Shape<T> {
  return define({ json: {}, expected, accept: (each) => (isRight(each) ? each : undefined) });
}

/** The shape of the value at a path; nothing where no such key is known. */
export function shapeAt(value: AnyShape, path: KeyPath): AnyShape | undefined {
  return path.reduce<AnyShape | undefined>((inner, key) => inner?.inner?.(key), value);
}

/** Takes shapes by name that describe exactly the types of those names; any other do not compile. */
export function describing<T>() {
  return <S extends { readonly [K in keyof T]: AnyShape }>(
    shapes: S & { readonly [K in keyof T]: Describes<S[K], T[K]> extends true ? unknown : never },
  ): S => shapes;
}
