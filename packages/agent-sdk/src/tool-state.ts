import type { JsonValue, ToolStatus } from '@robota-sdk/agent-core';

/** A call as a front end shows it. */
export interface ToolState {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly firstArg: string;
  readonly isRunning: boolean;
  readonly result?: ToolStatus;
}

/** The name of a call and its first argument, as tool lines show them. */
export function toolStateOf(call: { id: string; name: string; input: JsonValue }) {
  const { input } = call;
  const first = typeof input === 'object' && input !== null ? Object.values(input)[0] : input;
  const firstArg = typeof first === 'string' ? first : first === undefined ? '' : JSON.stringify(first);
  return { toolCallId: call.id, toolName: call.name, firstArg };
}
