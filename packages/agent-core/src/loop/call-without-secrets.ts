import type { ToolCallContent } from '../message/content.ts';
import { isJsonObject, type JsonValue } from '../shape/json.ts';

/** A call as it is stored: without secrets in its arguments. Argument names stay, because tools are found by them. */
export function callWithoutSecrets(call: ToolCallContent, hide: (text: string) => string): ToolCallContent {
  const { input, invalid, raw } = call;
  return {
    ...call,
    input: valueWithout(input, hide, 0),
    ...(invalid === undefined ? {} : { invalid: hide(invalid) }),
    ...(raw === undefined ? {} : { raw: hide(raw) }),
  };
}

const deepest = 200;

function valueWithout(value: JsonValue, hide: (text: string) => string, depth: number): JsonValue {
  if (typeof value === 'string') return hide(value);
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => valueWithout(item, hide, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, valueWithout(item, hide, depth + 1)]),
  );
}
