import type { JsonObject, JsonValue } from './json.ts';
import { type KeyPath, Report } from './report.ts';
import { type AnyShape, isPending, type Shape, type TypeOf, text } from './shape.ts';

/** Resolves to true if a shape describes exactly a type: no field more or less, optional ones included. */
type Describes<S, T> =
  (<X>() => X extends Plain<TypeOf<S>> ? 1 : 2) extends <X>() => X extends Plain<T> ? 1 : 2 ? true : false;

/** The same type without intersections, which the compiler tells from the objects they come to. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Plain<T[K]> }
    : T;

/** The same, or null. */
export function nullable<T>(value: Shape<T>): Shape<T | null> {
  return like<T | null>(value, {
    json: () => ({ anyOf: [value.json, { type: 'null' }] }),
    parse: (each, report) => (each === null ? null : value.parse(each, report)),
  });
}

/** Any of several: the first that fits as it stands, else the first that fits with leniency. */
export function either<const S extends readonly AnyShape[]>(...shapes: S): Shape<TypeOf<S[number]>> {
  // Asked for late: it makes lazy shapes.
  const expected = () => shapes.map((each) => each.expected).join(' or ');
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
      return isDeeper ? (nearest.accept() as TypeOf<S[number]>) : report.reportUnfit(expected(), value);
    },
  };
}

/** The same with a description. */
export function described<T>(value: Shape<T>, description: string): Shape<T> {
  return like(value, { json: () => ({ description, ...value.json }) });
}

/** The same with the value that is used without one. */
export function withDefault<T>(value: Shape<T>, preset: T & JsonValue): Shape<T> {
  return like(value, { json: () => ({ ...value.json, default: preset }) });
}

/** Only values that a check accepts; `expected` names them. */
export function checked<T>(value: Shape<T>, expected: string, isRight: (value: T) => boolean): Shape<T> {
  const parse: Shape<T>['parse'] = (each, report = new Report()) => {
    const trial = report.trial(value, each);
    const { parsed } = trial;
    const isFit = trial.isFit && parsed !== undefined && (isPending(parsed, report) || isRight(parsed));
    return isFit ? trial.accept() : report.reportUnfit(expected, each);
  };
  return like(value, { expected, parse });
}

/** A value that is translated after it was read. */
export function mapped<T, U>(value: Shape<T>, translate: (value: T) => U): Shape<U> {
  const parse: Shape<U>['parse'] = (each, report = new Report()) => {
    const parsed = value.parse(each, report);
    return parsed === undefined ? undefined : translate(parsed);
  };
  return like<U>(value, { parse });
}

/** A shape that is made when it is first used, so that a start does not pay for it. */
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

/** A shape as another one, but for what is changed. */
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

/** A value that is used as a whole or not at all; a bad one costs only itself. */
export function whole<T>(value: Shape<T>): Shape<T> {
  return like(value, { parse: (each, report = new Report()) => report.whole(value, each) });
}

/** Address of a server. */
export const url: Shape<string> = checked(
  text,
  'a URL that begins with http:// or https://',
  (value) => isLocalAddress(value) || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
);

/** `localhost:8080` is understood without a scheme. */
function isLocalAddress(value: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:\/\S*)?$/i.test(value.trim());
}

/** A text with more than blanks, trimmed. */
export const nonEmptyText: Shape<string> = mapped(
  checked(text, 'a string that is not empty', (value) => value.trim() !== ''),
  (value) => value.trim(),
);

/** Values only a program can give, such as functions; JSON has nothing for them. */
export function instance<T>(expected: string, isRight: (value: unknown) => value is T): Shape<T> {
  return {
    json: {},
    expected,
    parse: (each, report = new Report()) => (isRight(each) ? each : report.reportUnfit(expected, each)),
  };
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
