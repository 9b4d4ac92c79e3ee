import { type JsonValue, shortLine, type ToolStatus, tellingArgument } from '@robota-sdk/agent-core';

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

const longestArgument = 80;

/** A call in a few words: `$ npm test`, `Read src/cart.js`; paths are relative to the directory. */
export function callWords(call: { name: string; input: JsonValue }, cwd = process.cwd()): string {
  const argument = tellingArgument(call);
  const shown = argument.startsWith(`${cwd}/`) ? argument.slice(cwd.length + 1) : argument;
  return `${call.name === 'Bash' ? '$' : call.name} ${shortLine(shown, longestArgument)}`.trimEnd();
}
