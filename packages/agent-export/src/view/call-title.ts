import { type JsonValue, tellingArgument } from '@robota-sdk/agent-core';

/** A call in one line: the first line of the argument that tells most about it. */
export function callTitle(call: { readonly name: string; readonly input: JsonValue }): string {
  const [line = ''] = tellingArgument(call).trim().split('\n', 1);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
