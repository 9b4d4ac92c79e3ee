import { builtInToolNames, isJsonObject, type JsonObject, parseJson } from '@robota-sdk/agent-core';
import { PluginError, type PluginInstance } from './plugin-instance.ts';

/** A tool as the plugin describes it. */
export interface PluginTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly label?: string;
  readonly brief?: string;
}

/** A command as the plugin describes it. */
export interface PluginCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
}

/** The self-description of a plugin. */
export interface PluginDescription {
  readonly name: string;
  readonly tools: readonly PluginTool[];
  readonly commands: readonly PluginCommand[];
}

const maxItems = 100;
const maxText = 16_384;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const toolPattern = /^[A-Za-z0-9_-]{1,64}$/;
const commandPattern = /^[A-Za-z0-9][A-Za-z0-9:_-]{0,63}$/;

/** Asks a plugin what it is, after its self-test if it has one. Throws what is wrong with the answers. */
export async function describePlugin(
  instance: PluginInstance,
  { selfTest, signal }: { readonly selfTest: boolean; readonly signal?: AbortSignal | undefined },
): Promise<PluginDescription> {
  const ask = (name: 'name' | 'tools' | 'commands' | 'selfTest') =>
    instance.call({ name, args: [] }, { signal });
  if (selfTest)
    await ask('selfTest').catch((thrown: unknown) => {
      throw thrown instanceof PluginError ? new Error(`its self-test failed: ${thrown.message}`) : thrown;
    });
  const name = textOf(await ask('name'), 'its name', namePattern);
  const tools = listOf(await ask('tools'), 'tools').map(toolOf);
  const commands = listOf(await ask('commands'), 'commands').map(commandOf);
  assertDistinct(tools, 'tools');
  assertDistinct(commands, 'commands');
  return { name, tools, commands };
}

function toolOf(value: unknown): PluginTool {
  const { name, description, input, label, brief } = fieldsOf(value, 'a tool');
  const known = textOf(name, 'the name of a tool', toolPattern);
  // The permissions of built-in tools must not apply to plugins.
  if (builtInToolNames.some((own) => own === known))
    throw new Error(`a tool of it is called "${known}" like ours`);
  const of = `of its tool "${known}"`;
  return {
    name: known,
    description: textOf(description, `the description ${of}`),
    input: schemaOf(textOf(input, `the input ${of}`), of),
    ...optional('label', label, of),
    ...optional('brief', brief, of),
  };
}

function commandOf(value: unknown): PluginCommand {
  const { name, description, argumentHint } = fieldsOf(value, 'a command');
  const known = textOf(name, 'the name of a command', commandPattern);
  const of = `of its command "${known}"`;
  return {
    name: known,
    description: textOf(description, `the description ${of}`),
    ...optional('argumentHint', argumentHint, of),
  };
}

function schemaOf(text: string, of: string): JsonObject {
  const schema = parseJson(text);
  if (schema === undefined) throw new Error(`the input ${of} is no JSON`);
  if (!isJsonObject(schema)) throw new Error(`the input ${of} is no JSON Schema of an object`);
  return schema;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`its ${what} are not a list`);
  if (value.length > maxItems) throw new Error(`it has more than ${maxItems} ${what}`);
  return value;
}

function fieldsOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`${what} of it is not a record`);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, what: string, pattern?: RegExp): string {
  if (typeof value !== 'string') throw new Error(`${what} is not text`);
  if (value.length > maxText) throw new Error(`${what} is longer than ${maxText} characters`);
  if (pattern && !pattern.test(value))
    throw new Error(`${what} cannot be ${JSON.stringify(value.slice(0, 80))}`);
  return value;
}

function optional<K extends string>(key: K, value: unknown, of: string): { readonly [P in K]?: string } {
  if (value === undefined || value === null) return {};
  return { [key]: textOf(value, `the ${key} ${of}`) } as { readonly [P in K]: string };
}

function assertDistinct(items: readonly { readonly name: string }[], what: string): void {
  const names = items.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two of its ${what} are called "${twice}"`);
}
