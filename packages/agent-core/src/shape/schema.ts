import type { JsonObject, JsonValue } from './json.ts';

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly error: string;
      /** The error without the value, which may be a secret. */
      readonly expected?: string;
    };

/** A value's JSON Schema for the model, and `parse` for validation. */
export interface Schema<T> {
  readonly json: JsonObject;
  parse(value: JsonValue): ParseResult<T>;
}
