import { decodeJson, isJsonObject, type JsonValue, shorten } from '@robota-sdk/agent-core';

const longestValue = 60;
const mostKeys = 40;

/** The keys of a JSON file and what they hold. */
export function outlineJson(lines: readonly string[]): readonly string[] {
  const read = decodeJson(lines.join('\n'));
  if (!read.ok) return [`It is not plain JSON: ${read.error}`];
  const { value } = read;
  if (!isJsonObject(value)) return [`Holds ${describe(value)}.`];
  const entries = Object.entries(value);
  const rows = entries.slice(0, mostKeys).map(([key, item]) => `- \`${key}\`: ${describe(item)}`);
  if (entries.length > mostKeys) rows.push(`- … and ${entries.length - mostKeys} more keys`);
  return ['Keys:', ...rows];
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return shorten(JSON.stringify(value), longestValue);
  const keys = Object.keys(value);
  const shown = keys.slice(0, 8).join(', ');
  return keys.length === 0
    ? 'an empty object'
    : `an object with ${shown}${keys.length > 8 ? `, … (${keys.length})` : ''}`;
}
