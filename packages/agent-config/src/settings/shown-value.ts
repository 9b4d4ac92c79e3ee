import { isJsonObject, type JsonValue, type KeyPath } from '@robota-sdk/agent-core';

const hidden = '(hidden)';
const secretNames = /^(?:apiKeys?)$/;
const secretVariables = /key|token|secret|password|credential/i;

/** A setting as it may be shown: keys are not, but the variables they are taken from are. */
export function shownValue(value: JsonValue, path: KeyPath): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => shownValue(item, [...path, index]));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, shownValue(item, [...path, key])]),
    );
  return typeof value === 'string' && isSecret(value, path) ? hidden : value;
}

function isSecret(text: string, path: KeyPath): boolean {
  if (/^\$ENV:\w+$/.test(text)) return false;
  const names = path.map(String);
  if (names.some((name) => secretNames.test(name))) return true;
  if (names[0] === 'env') return secretVariables.test(names[1] ?? '');
  return URL.canParse(text) && new URL(text).password !== '';
}

/** A value on one line: text as it is, anything else as JSON. */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return '(not set)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
