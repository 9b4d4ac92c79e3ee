import {
  type Access,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Schema,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  textOutput,
} from '@robota-sdk/agent-core';
import { type StandaloneTool, standaloneTool } from './standalone-tool.ts';

/** Result of every tool. */
export type TToolResult = ToolOutput;

/** A schema of zod, or of any library with these two functions. */
export interface ZodLike<T> {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: T; readonly error?: ZodErrorLike };
  toJSONSchema?(options?: {
    readonly io?: 'input' | 'output';
    readonly unrepresentable?: 'any' | 'throw';
  }): unknown;
}

interface ZodErrorLike {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** A function and its description for the model; `access` declares its accesses. Default: none. */
export interface FunctionToolDefinition<I> {
  readonly name: string;
  readonly description: string;
  readonly label?: string;
  readonly guideline?: string;
  readonly execution?: 'parallel' | 'sequential';
  access?(input: I, scope: ToolScope): readonly Access[] | Promise<readonly Access[]>;
  /** The result may be plain text or a JSON value. */
  execute(input: I, context: ToolContext): Promise<TToolResult | JsonValue> | TToolResult | JsonValue;
}

/** Creates a tool from a function and a zod schema for its input. */
export function createZodFunctionTool<I>(schema: ZodLike<I>, tool: FunctionToolDefinition<I>): Tool<I> {
  return {
    ...tool,
    input: zodSchema(schema),
    access: (input, scope) => tool.access?.(input, scope) ?? [],
    execute: async (input, context) => outputOf(await tool.execute(input, context)),
  };
}

/** Name, description and JSON Schema of a tool, as vendors write them. */
export interface FunctionToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A tool made from a function and a JSON Schema; it can also be called directly. */
export class FunctionTool<I = JsonObject> implements StandaloneTool<I> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema<I>;
  readonly access: Tool<I>['access'] = () => [];
  // An own property, because tools are copied by spreading.
  readonly execute: StandaloneTool<I>['execute'];

  constructor(schema: FunctionToolSchema, execute: FunctionToolDefinition<I>['execute']) {
    this.name = schema.name;
    this.description = schema.description;
    this.input = jsonSchema<I>(schema.parameters);
    const { name, description, input, access } = this;
    const run = async (value: I, context: ToolContext) => outputOf(await execute(value, context));
    this.execute = standaloneTool({ name, description, input, access, execute: run }).execute;
  }
}

/** Adapts a zod schema: JSON Schema for the model, zod's parser for values. */
export function zodSchema<T>(schema: ZodLike<T>): Schema<T> {
  let json: JsonObject | undefined;
  return {
    get json() {
      json ??= jsonSchemaOf(schema);
      return json;
    },
    parse(value) {
      const result = schema.safeParse(value);
      if (result.success) return { ok: true, value: result.data as T };
      const issues = result.error?.issues ?? [];
      const lines = issues.map(({ path, message }) =>
        path.length > 0 ? `${path.join('.')}: ${message}` : message,
      );
      return { ok: false, error: lines.join('; ') || 'the input does not fit the schema' };
    },
  };
}

function jsonSchemaOf(schema: ZodLike<unknown>): JsonObject {
  const json = schema.toJSONSchema?.({ io: 'input', unrepresentable: 'any' });
  if (!isJsonObject(json)) {
    throw new TypeError('This schema has no toJSONSchema() method; use zod 4.2 or later, or jsonSchema().');
  }
  const { $schema: _, ...plain } = json;
  return plain;
}

function outputOf(result: TToolResult | JsonValue): ToolOutput {
  if (isToolOutput(result)) return result;
  return textOutput(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
}

function isToolOutput(result: TToolResult | JsonValue): result is ToolOutput {
  if (!isJsonObject(result) || !Array.isArray(result.content)) return false;
  return result.content.every(
    (block) => isJsonObject(block) && (block.type === 'text' || block.type === 'image'),
  );
}
