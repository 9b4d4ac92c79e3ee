import type { JsonObject, JsonValue } from './json.ts';
import { type KeyPath, Report } from './report.ts';
import { type AnyShape, isPending, type Shape, type TypeOf, text } from './shape.ts';

/** True if a shape describes exactly a type, including its optional fields. */
type Describes<S, T> =
  (<X>() => X extends Plain<TypeOf<S>> ? 1 : 2) extends <X>() => X extends Plain<T> ? 1 : 2 ? true : false;

/** The same type without intersections, which the compiler distinguishes from equal objects. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** The shape, or null. */
export function nullable<T>(value: Shape<T>): Shape<T | null> {
  return like<T | null>(value, {
    json: () => ({ anyOf: [value.json, { type: 'null' }] }),
    parse: (each, report) => (each === null ? null : value.parse(each, report)),
  });
}

/** Any of several shapes: the first exact match, otherwise the first lenient match. */
export function either<const S extends readonly AnyShape[]>(...shapes: S): Shape<TypeOf<S[number]>> {
  // Computed late, because it creates lazy shapes.
  const expected = () => [...new Set(shapes.map((each) => each.expected))].join(' or ');
  return {
    get json() {
      return { anyOf: shapes.map((each) => each.json) };
    },
    get expected() {
      return expected();
    },
    get keys() {
      return shapes.flatMap((each) => each.keys ?? []);
    },
    inner: (key) => {
      const found = shapes.flatMap((each) => each.inner?.(key) ?? []);
      return found[0];
    },
    parse: (value, report = Report.quiet()) => {
      for (const lenient of report.isLenient ? [false, true] : [false]) {
        for (const each of shapes) {
          const trial = report.trial(each, value, lenient);
          if (trial.isFit) return trial.accept() as TypeOf<S[number]>;
        }
      }
      const trials = shapes.map((each) => report.trial(each, value));
      const nearest = trials.reduce((best, each) => (each.depth > best.depth ? each : best));
      const isDeeper = trials.some((each) => each.depth < nearest.depth);
      return isDeeper ? (nearest.accept() as TypeOf<S[number]>) : report.reportUnfit(expected(), value);
    },
  };
}

/** The shape with a description. */
export function described<T>(value: Shape<T>, description: string): Shape<T> {
  return like(value, { json: () => ({ description, ...value.json }) });
}

/** The shape with a default value. */
export function withDefault<T>(value: Shape<T>, preset: T & JsonValue): Shape<T> {
  return like(value, { json: () => ({ ...value.json, default: preset }) });
}

/** The shape with a check; `expected` describes accepted values. */
export function checked<T>(value: Shape<T>, expected: string, isRight: (value: T) => boolean): Shape<T> {
  const parse: Shape<T>['parse'] = (each, report = Report.quiet()) => {
    const trial = report.trial(value, each);
    const { parsed } = trial;
    const isFit = trial.isFit && parsed !== undefined && (isPending(parsed, report) || isRight(parsed));
    return isFit ? trial.accept() : report.reportUnfit(expected, each);
  };
  return like(value, { expected, parse });
}

/** The shape with a conversion after parsing. */
export function mapped<T, U>(value: Shape<T>, translate: (value: T) => U): Shape<U> {
  const parse: Shape<U>['parse'] = (each, report = Report.quiet()) => {
    const parsed = value.parse(each, report);
    return parsed === undefined ? undefined : translate(parsed);
  };
  return like<U>(value, { parse });
}

/** Creates a shape on first use, so that startup does not pay for it. */
export function lazy<T>(make: () => Shape<T>): Shape<T> {
  let made: Shape<T> | undefined;
  const shape = (): Shape<T> => {
    made ??= make();
    return made;
  };
  return {
    get json() {
      return shape().json;
    },
    get expected() {
      return shape().expected;
    },
    get keys() {
      return shape().keys;
    },
    inner: (key) => shape().inner?.(key),
    parse: (value, report) => shape().parse(value, report),
  };
}

/** A copy of a shape with changes. */
function like<T>(
  value: AnyShape,
  change: {
    readonly json?: () => JsonObject;
    readonly expected?: string;
    readonly parse?: Shape<T>['parse'];
  },
): Shape<T> {
  return {
    get json() {
      return change.json?.() ?? value.json;
    },
    get expected() {
      return change.expected ?? value.expected;
    },
    get keys() {
      return value.keys;
    },
    inner: (key) => value.inner?.(key),
    parse: change.parse ?? ((each, report) => value.parse(each, report) as T | undefined),
  };
}

/** A value that is used completely or not at all; an invalid one is dropped without affecting others. */
export function whole<T>(value: Shape<T>): Shape<T> {
  return like(value, { parse: (each, report = Report.quiet()) => report.whole(value, each) });
}

/** A server URL. */
export const url: Shape<string> = checked(
  text,
  'a URL that begins with http:// or https://',
  (value) => isLocalAddress(value) || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
);

/** `localhost:8080` is accepted without a scheme. */
function isLocalAddress(value: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:\/\S*)?$/i.test(value.trim());
}

/** A text that is not blank, trimmed. */
export const nonEmptyText: Shape<string> = mapped(
  checked(text, 'a string that is not empty', (value) => value.trim() !== ''),
  (value) => value.trim(),
);

/** Values only a program can pass, such as functions; they have no JSON Schema. */
export function instance<T>(expected: string, isRight: (value: unknown) => value is T): Shape<T> {
  return {
    json: {},
    expected,
    parse: (each, report = Report.quiet()) => (isRight(each) ? each : report.reportUnfit(expected, each)),
  };
}

/** A check that values have a shape as they stand: nothing in them is left out or translated. */
export function guard<T>(make: () => AnyShape): (value: unknown) => value is T {
  const made = lazy(make);
  return (value): value is T => value !== undefined && made.parse(value) === value;
}

/** The shape of the value at a path; nothing where no such key is known. */
export function shapeAt(value: AnyShape, path: KeyPath): AnyShape | undefined {
  return path.reduce<AnyShape | undefined>((inner, key) => inner?.inner?.(key), value);
}

/** Accepts shapes by name that describe exactly the types of those names; others do not compile. */
export function describing<T>() {
  return <S extends { readonly [K in keyof T]: AnyShape }>(
    shapes: S & { readonly [K in keyof T]: Describes<S[K], T[K]> extends true ? unknown : never },
  ): S => shapes;
}
