import { isJsonObject, type JsonObject, type JsonValue, type ToolSpec } from '@robota-sdk/agent-core';
import { DataElement, stringify } from '@robota-sdk/xnl';
import { callElement, textElement } from './elements.ts';
import { routeParts } from './tool-routes.ts';
import { typescriptType } from './typescript-type.ts';

/** The brief and the detail of a tool, made from its definition. */
export function toolText(tool: ToolSpec): string {
  const { namespace, name } = routeParts(tool.name);
  const brief = new DataElement('tool', { attributes: { namespace, name, description: tool.description } });
  const type = `type ${identifierOf(name)} = (input: ${typescriptType(tool.input)}) => string;`;
  const demo = `!unquote_start\n${callElement({ id: 'c1', name: tool.name, input: exampleInput(tool.input) })}\n!unquote_end`;
  return [
    stringify(brief, { pretty: true }),
    textElement({ tag: 'type_def', metadata: { lang: 'typescript' }, text: `\n${type}\n` }),
    textElement({ tag: 'demo', marker: 'good_usage_demo1', text: `\n${demo}\n` }),
  ].join('\n');
}

function identifierOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_$]/g, '_');
}

/**
 * The arguments that must be there and the first texts that say nothing of themselves, since those are what a call is
 * about; the first argument where none must be there. The values show their kind.
 */
function exampleInput({ properties, required }: JsonObject): JsonObject {
  const all = Object.entries(isJsonObject(properties) ? properties : {});
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
  const plain = all.filter(([name, schema]) => !isNeeded(name) && isPlainText(schema)).slice(0, 2);
  const shown = all.filter((entry) => isNeeded(entry[0]) || plain.includes(entry));
  const first = shown.some(([name]) => isNeeded(name)) ? shown : all.slice(0, 1);
  return Object.fromEntries(first.map(([name, schema]) => [name, exampleOf(schema, name)]));
}

function isPlainText(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema.type === 'string' && !schema.enum && !schema.description;
}

function exampleOf(schema: JsonValue | undefined, name: string): JsonValue {
  if (!isJsonObject(schema)) return name;
  if ('const' in schema) return schema.const ?? null;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [exampleOf(schema.items, name)];
    case 'object':
      return exampleInput(schema);
    default:
      return texts.get(name) ?? name;
  }
}

const texts: ReadonlyMap<string, string> = new Map([
  ['file_path', 'README.md'],
  ['path', 'src'],
  ['command', 'ls'],
  // Means something as a regular expression and as a pattern of file names.
  ['pattern', 'README.*'],
  ['url', 'https://example.com'],
]);
