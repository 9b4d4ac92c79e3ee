import type { JsonObject } from './json.ts';

/** A JSON Schema together with the type of the values it describes. */
export interface Shape<T> {
  readonly json: JsonObject;
  readonly of?: (value: T) => T;
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
export type TypeOf<S> = S extends Shape<infer T> ? T : never;

/** A shape whose type does not matter. */
export type AnyShape = Pick<Shape<unknown>, 'json'>;
type AnyFields = Readonly<Record<string, AnyShape>>;
type Required<F> = { readonly [K in keyof F]: TypeOf<F[K]> };
type Optional<F> = { readonly [K in keyof F]?: TypeOf<F[K]> };
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Gives a type to a schema that says less than the type. */
export function shape<T>(json: JsonObject): Shape<T> {
  return { json };
}

export const text = shape<string>({ type: 'string' });
export const number = shape<number>({ type: 'number' });
export const integer = shape<number>({ type: 'integer' });
export const flag = shape<boolean>({ type: 'boolean' });

/** One of several texts. */
export function words<const T extends string>(...choices: readonly T[]): Shape<T> {
  const [only] = choices;
  return { json: choices.length === 1 && only !== undefined ? { const: only } : { enum: [...choices] } };
}

/** A single value. */
export function exactly<const T extends string | boolean | null>(value: T): Shape<T> {
  return { json: { const: value } };
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return { json: { type: 'array', items: item.json } };
}

export function nullable<T>(value: Shape<T>): Shape<T | null> {
  return { json: { anyOf: [value.json, { type: 'null' }] } };
}

/** An object of known fields; those of the second list may be absent. */
export function object<R extends AnyFields>(required: R): Shape<Required<R>>;
export function object<R extends AnyFields, O extends AnyFields>(
  required: R,
  optional: O,
): Shape<Flat<Required<R> & Optional<O>>>;
export function object(required: AnyFields, optional: AnyFields = {}): AnyShape {
  const names = Object.keys(required);
  const fields = Object.entries({ ...required, ...optional });
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, field]) => [name, field.json])),
      ...(names.length > 0 ? { required: names } : {}),
    },
  };
}

/** Any of several. */
export function either<const S extends readonly AnyShape[]>(...shapes: S): Shape<TypeOf<S[number]>> {
  return { json: { anyOf: shapes.map((each) => each.json) } };
}

/** The same with a description. */
export function described<T>(value: Shape<T>, description: string): Shape<T> {
  return { json: { description, ...value.json } };
}

/** Takes shapes by name that describe exactly the types of those names; any other do not compile. */
export function describing<T>() {
  return <S extends { readonly [K in keyof T]: AnyShape }>(
    shapes: S & { readonly [K in keyof T]: Describes<S[K], T[K]> extends true ? unknown : never },
  ): S => shapes;
}
