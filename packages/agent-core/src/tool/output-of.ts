import { AgentError } from '../problem/agent-error.ts';
import { type ToolOutput, textOutput } from './tool.ts';

/** Converts a tool's result: plain text becomes output, any other invalid value an error that names the tool. */
export function outputOf(tool: string, returned: unknown): ToolOutput {
  if (typeof returned === 'string') return textOutput(returned);
  const problem = outputProblem(returned);
  if (problem === undefined) return returned as ToolOutput;
  throw new AgentError('tool', `The tool ${tool} ran, but its result cannot be used: ${problem}.`);
}

/** Explains why a value is not a tool output; undefined if it is one. */
export function outputProblem(value: unknown): string | undefined {
  const { content } = (value ?? {}) as { readonly content?: unknown };
  const advice = 'return a text, or { content: [{ type: "text", text }] }';
  if (!Array.isArray(content)) return `it is ${kindOf(value)}; ${advice}`;
  const isBlock = (block: unknown) => {
    const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    return type === 'image' || (type === 'text' && typeof text === 'string');
  };
  return content.every(isBlock)
    ? undefined
    : `its content has a block that is neither text nor image; ${advice}`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'object')
    return Array.isArray(value) ? 'a list' : 'an object without a list "content"';
  return `a ${typeof value}`;
}
