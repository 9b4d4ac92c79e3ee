import {
  type AnyTool,
  checkArguments,
  flag,
  having,
  type JsonObject,
  jsonSchema,
  objectInstance,
  optional,
  type Schema,
} from '@robota-sdk/agent-core';
import {
  type FunctionToolDefinition,
  functionTool,
  type StandaloneTool,
  standaloneTool,
  type ZodLike,
  zodSchema,
} from '@robota-sdk/agent-tools';

/** A schema: of zod 4.2 or later, of `jsonSchema`, or plain JSON Schema. */
export type AnySchema<T> = Schema<T> | ZodLike<T>;

/** Definition of a tool: a function, its schema and its description. */
export interface ToolDefinition<I> extends FunctionToolDefinition<I> {
  readonly input: AnySchema<I>;
  /** True if it changes nothing, so that its calls need no approval unless a rule requires one. */
  readonly readOnly?: boolean;
}

/** A tool of a program; it can also be called directly. */
export interface DefinedTool<I> extends StandaloneTool<I> {
  readonly readOnly: boolean;
}

/** Defines a tool: its schema validates and types the input, and an exception is an error for the model. */
export function tool<I>(definition: ToolDefinition<I>): DefinedTool<I> {
  checkArguments('tool', {
    definition: [definition, having({ input: objectInstance, readOnly: optional(flag) })],
  });
  const { input, readOnly = false, ...rest } = definition;
  return { ...standaloneTool(functionTool(schemaOf(input), rest)), readOnly };
}

/** The names of tools that need no approval. */
export function readOnlyNames(tools: readonly AnyTool[]): string[] {
  return tools.flatMap((each) => ('readOnly' in each && each.readOnly === true ? [each.name] : []));
}

/** One form for every kind of schema. */
export function schemaOf<T>(schema: AnySchema<T>): Schema<T> {
  if ('json' in schema && 'parse' in schema) return schema;
  if ('safeParse' in schema) return zodSchema(schema);
  return jsonSchema<T>(schema as JsonObject);
}
