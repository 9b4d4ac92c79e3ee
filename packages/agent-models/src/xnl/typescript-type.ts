import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

const deepest = 6;

/** A JSON Schema as a type of TypeScript, which models read more easily and which costs less. */
export function typescriptType(schema: JsonValue | undefined, depth = 0): string {
  if (!isJsonObject(schema) || depth > deepest) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices))
    return union(choices.map((choice: JsonValue) => typescriptType(choice, depth + 1)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: JsonValue) => typescriptType({ ...schema, type }, depth + 1)));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayText(schema, depth);
    default:
      return schema.type === 'object' || isJsonObject(schema.properties)
        ? objectText(schema, depth)
        : 'unknown';
  }
}

/** The properties of an object, those that must be there without a question mark. */
function objectText({ properties, required, additionalProperties }: JsonObject, depth: number): string {
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(
    ([name, schema]) =>
      `${keyText(name)}${needed.includes(name) ? '' : '?'}: ${typescriptType(schema, depth + 1)}${remark(schema)}`,
  );
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  return isJsonObject(additionalProperties)
    ? `Record<string, ${typescriptType(additionalProperties, depth + 1)}>`
    : '{}';
}

function arrayText({ items }: JsonObject, depth: number): string {
  const item = typescriptType(items, depth + 1);
  return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'unknown';
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function remark(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema) || typeof schema.description !== 'string') return '';
  return ` /* ${schema.description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */`;
}
