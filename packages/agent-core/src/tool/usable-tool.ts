import { AgentError } from '../problem/agent-error.ts';
import { isJsonObject, type JsonValue } from '../shape/json.ts';
import { jsonSchema } from '../shape/json-schema.ts';
import type { Schema } from '../shape/schema.ts';
import { schemaProblem } from '../shape/schema-problem.ts';
import type { Tool } from './tool.ts';

/** The tool names that every vendor accepts. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Validates a tool and converts its schema. Throws with the fix if it is invalid. */
export function usableTool<I>(tool: Tool<I>): Tool<I> {
  const given: unknown = tool;
  if (typeof given !== 'object' || given === null) throw unusable('A tool', 'must be an object');
  if (typeof tool.name !== 'string' || tool.name === '') throw unusable('A tool', 'has no name');
  const title = `The tool "${tool.name}"`;
  if (!namePattern.test(tool.name))
    throw unusable(title, 'needs another name: 1 to 64 letters (a-z, A-Z), digits, _ and -');
  if (typeof tool.execute !== 'function')
    throw unusable(title, 'has no function "execute"; write execute: async (input, context) => "the result"');
  if (typeof tool.access !== 'function') throw unusable(title, noAccess);
  if (typeof tool.description !== 'string')
    throw unusable(title, 'has no description; the model decides by it when to use the tool');
  const input = schemaOf<I>(tool.input, title);
  return input === tool.input ? tool : withInput(tool, input);
}

const noAccess =
  'has no function "access", which says what a call touches; write access: () => [] if that is nothing, or return ' +
  'such as [{ kind: "fetch", url }]';

/** Plain JSON Schema is accepted too. */
function schemaOf<I>(input: unknown, title: string): Schema<I> {
  const { json, parse } = (input ?? {}) as { readonly json?: JsonValue; readonly parse?: unknown };
  const isSchema = typeof parse === 'function' && isJsonObject(json);
  const written = isSchema ? json : (input as JsonValue | undefined);
  if (!isJsonObject(written))
    throw unusable(title, 'has no input; write input: jsonSchema({ type: "object", properties: { … } })');
  const problem = schemaProblem(written, 'its input');
  if (problem !== undefined) throw unusable(title, `cannot be used: ${problem}`);
  if (written.type !== undefined && written.type !== 'object')
    throw unusable(
      title,
      `cannot be used: its input must have the type "object", not ${JSON.stringify(written.type)}`,
    );
  return isSchema ? (input as Schema<I>) : jsonSchema<I>(written);
}

/** Field by field, because a tool may be an instance of a class. */
function withInput<I>(tool: Tool<I>, input: Schema<I>): Tool<I> {
  const { name, description, label, guideline, promptSection, execution, paged, repeatable } = tool;
  const optional = { label, guideline, promptSection, execution, paged, repeatable };
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(present) as Partial<Tool<I>>),
    name,
    description,
    input,
    access: (parsed, scope) => tool.access(parsed, scope),
    execute: (parsed, context) => tool.execute(parsed, context),
    ...(tool.resolve ? { resolve: (call) => tool.resolve?.(call) } : {}),
    ...(tool.intend ? { intend: async (parsed, scope) => tool.intend?.(parsed, scope) } : {}),
    ...(tool.resume ? { resume: async (intent, scope) => tool.resume?.(intent, scope) ?? 'differs' } : {}),
    ...(tool.preview ? { preview: async (parsed, scope) => tool.preview?.(parsed, scope) } : {}),
  };
}

function unusable(title: string, why: string): AgentError {
  return new AgentError('usage', `${title} ${why}.`);
}
