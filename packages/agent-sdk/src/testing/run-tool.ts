import {
  AgentError,
  anyValue,
  callback,
  checkArguments,
  having,
  type JsonValue,
  objectInstance,
  type Tool,
  type ToolContext,
  type ToolOutput,
  text,
  textOf,
} from '@robota-sdk/agent-core';
import { standaloneTool } from '@robota-sdk/agent-tools';

/** Output of a tool call, with its text. */
export interface ToolRun extends ToolOutput {
  readonly text: string;
}

/** Runs a tool like a session: the input is validated first. No permission is required. */
export async function runTool<I>(
  tool: Tool<I>,
  input: JsonValue,
  context: Partial<ToolContext> = {},
): Promise<ToolRun> {
  checkArguments('runTool', {
    tool: [tool, having({ name: text, input: having({ parse: callback }), execute: callback })],
    input: [input, anyValue],
    context: [context, objectInstance],
  });
  const parsed = tool.input.parse(input);
  if (!parsed.ok) throw new AgentError('tool', `${tool.name}: ${parsed.error}`);
  const output = await standaloneTool(tool).execute(parsed.value, context);
  return { ...output, text: textOf(output.content) };
}
