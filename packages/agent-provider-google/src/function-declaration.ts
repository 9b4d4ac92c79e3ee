import { isJsonObject, type JsonObject, type JsonValue, type ToolSpec } from '@robota-sdk/agent-core';

/** Keywords that only say which dialect a schema is written in; Google knows one dialect. */
const dropped = new Set(['$schema', '$id', '$comment']);
/** Keywords whose value maps names to schemas: a name may look like a keyword there. */
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** A tool in Google's words; `parametersJsonSchema` takes plain JSON Schema. */
export function toFunctionDeclaration(tool: ToolSpec): JsonObject {
  const { properties, type, $schema, additionalProperties, required, ...others } = tool.input;
  const hasParameters =
    (isJsonObject(properties) && Object.keys(properties).length > 0) || Object.keys(others).length > 0;
  return {
    name: tool.name,
    description: tool.description,
    ...(hasParameters ? { parametersJsonSchema: toGoogleSchema(tool.input) } : {}),
  };
}

/** Keeps what Google enforces and says the same in words it knows: `const` as `enum`, `oneOf` as `anyOf`. */
function toGoogleSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(toGoogleSchema);
  if (!isJsonObject(schema)) return schema;
  const result: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (dropped.has(keyword)) continue;
    if (keyword === 'const') result.enum = [value];
    else if (keyword === 'oneOf' && !('anyOf' in schema)) result.anyOf = toGoogleSchema(value);
    else if (schemaMaps.has(keyword)) result[keyword] = mapValues(value);
    else result[keyword] = data.has(keyword) ? value : toGoogleSchema(value);
  }
  return result;
}

function mapValues(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, toGoogleSchema(schema)]));
}
