import { type JsonValue, type ToolStatus, tellingArgument } from '@robota-sdk/agent-core';

/** A call as a front end shows it. */
export interface ToolState {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The most informative argument, such as a command or a path. */
  readonly firstArg: string;
  readonly isRunning: boolean;
  readonly result?: ToolStatus;
}

/** The name of a call and its telling argument, as tool lines show them. */
export function toolStateOf(call: { id: string; name: string; input: JsonValue }) {
  return { toolCallId: call.id, toolName: call.name, firstArg: tellingArgument(call) };
}
