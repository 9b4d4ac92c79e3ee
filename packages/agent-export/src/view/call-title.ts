import {
  firstLine,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  shorten,
  tellingArgument,
} from '@robota-sdk/agent-core';

/** A call in one line: the first line of the argument that tells most about it; never JSON. */
export function callTitle(call: { readonly name: string; readonly input: JsonValue }): string {
  const { input } = call;
  const told = tellingArgument(call);
  const isPlain = !isJsonObject(input) || !/^[[{]/.test(told) || Object.values(input).includes(told);
  return shorten(firstLine(isPlain ? told : structureTitle(input)), 160);
}

/** Arguments that are lists and objects: the step under way, or how many there are. */
function structureTitle(input: JsonObject): string {
  const [name = '', value] = Object.entries(input)[0] ?? [];
  if (!Array.isArray(value)) return Object.keys(input).join(', ');
  const current = value.find((item) => isJsonObject(item) && String(item['status']).startsWith('in'));
  const text = isJsonObject(current) ? (current['content'] ?? current['text']) : undefined;
  return typeof text === 'string' ? text : `${value.length} ${name}`;
}
