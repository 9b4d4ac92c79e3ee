import {
  type Access,
  AgentError,
  callback,
  checkArguments,
  errorMessage,
  having,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  objectInstance,
  optional,
  type Schema,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  text,
  textOutput,
  usableTool,
} from '@robota-sdk/agent-core';
import { type StandaloneTool, standaloneTool } from './standalone-tool.ts';

/** Result of every tool. */
export type TToolResult = ToolOutput;

/** A schema of zod 4.2 or later, or of any library with these two functions. */
export interface ZodLike<T> {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: T; readonly error?: ZodErrorLike };
  toJSONSchema(options?: {
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
  /** The result may be text, `{ content, isError }` with text or blocks, or any other JSON value. */
  execute(input: I, context: ToolContext): Promise<FunctionResult> | FunctionResult;
}

/** The result of a tool's function. */
type FunctionResult = TToolResult | JsonValue | { readonly content: string; readonly isError?: boolean };

const definitionShape = having({
  name: text,
  description: text,
  execute: callback,
  access: optional(callback),
});

/** Creates a tool from a function and a zod schema for its input. */
export function createZodFunctionTool<I>(schema: ZodLike<I>, tool: FunctionToolDefinition<I>): Tool<I> {
  return functionTool(zodSchema(schema), tool);
}

/** Creates a tool from a function and a schema of any kind. Throws if the tool cannot be used. */
export function functionTool<I>(input: Schema<I>, tool: FunctionToolDefinition<I>): Tool<I> {
  checkArguments('tool', { definition: [tool, definitionShape] });
  const { access, execute } = tool;
  return usableTool({
    ...tool,
    input,
    access: (value, scope) => access?.(value, scope) ?? [],
    execute: async (value, context) => outputOf(await execute(value, context)),
  });
}

/** Name, description and JSON Schema of a tool, as vendors write them. */
export interface FunctionToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

const functionSchema = having({ name: text, description: text, parameters: objectInstance });

/** A tool made from a function and a JSON Schema; it can also be called directly. */
export class FunctionTool<I = JsonObject> implements StandaloneTool<I> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema<I>;
  readonly access: Tool<I>['access'] = () => [];
  // An own property, because tools are copied by spreading.
  readonly execute: StandaloneTool<I>['execute'];

  constructor(schema: FunctionToolSchema, execute: FunctionToolDefinition<I>['execute']) {
    checkArguments('new FunctionTool', { schema: [schema, functionSchema], execute: [execute, callback] });
    this.name = schema.name;
    this.description = schema.description;
    this.input = jsonSchema<I>(schema.parameters);
    const { name, description, input } = this;
    this.execute = standaloneTool(functionTool(input, { name, description, execute })).execute;
  }
}

/** Adapts a zod schema: JSON Schema for the model, zod's parser for values. */
export function zodSchema<T>(schema: ZodLike<T>): Schema<T> {
  checkArguments('tool', { schema: [schema, having({ safeParse: callback })] });
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
  const given: { readonly toJSONSchema?: unknown } = schema;
  if (typeof given.toJSONSchema !== 'function') throw unusableSchema('has no toJSONSchema() method');
  let json: unknown;
  try {
    json = schema.toJSONSchema({ io: 'input', unrepresentable: 'any' });
  } catch (thrown) {
    throw unusableSchema(`cannot be described to a model (${errorMessage(thrown)})`);
  }
  if (!isJsonObject(json as JsonValue)) throw unusableSchema('has a toJSONSchema() that returns no object');
  const { $schema: _, ...plain } = json as JsonObject;
  return plain;
}

function unusableSchema(why: string): AgentError {
  return new AgentError('usage', `This schema ${why}; use zod 4.2 or later, or jsonSchema().`);
}

/** A result that says it is an error stays one, whatever its content is. */
function outputOf(returned: FunctionResult | undefined): ToolOutput {
  const result: unknown = returned;
  if (typeof result === 'string') return textOutput(result);
  // JSON would show nothing of it.
  if (result instanceof Error) throw result;
  const json = () => JSON.stringify(result, null, 2) ?? '';
  if (!isObject(result)) return textOutput(json());
  const { content, is_error: claudeError, isError = claudeError, ...rest } = result;
  const hasBlocks = Array.isArray(content) && content.every(isBlock);
  if (hasBlocks && claudeError === undefined && (isError === undefined || typeof isError === 'boolean'))
    return result as unknown as ToolOutput;
  const error = isError === undefined ? {} : { isError: Boolean(isError) };
  if (hasBlocks) return { content, ...rest, ...error };
  if (typeof content === 'string' && Object.keys(rest).length === 0) return textOutput(content, error);
  return isError ? textOutput(json(), error) : textOutput(json());
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBlock = (block: unknown) =>
  isObject(block) && (block.type === 'image' || (block.type === 'text' && typeof block.text === 'string'));
