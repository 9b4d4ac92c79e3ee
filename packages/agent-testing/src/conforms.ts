import { type JsonObject, jsonSchema, parseJson } from '@robota-sdk/agent-core';

/** True if a text is JSON of a shape, for servers that let a model write nothing else. */
export function conforms(text: string, schema: JsonObject): boolean {
  const value = parseJson(text);
  return value !== undefined && jsonSchema(schema).parse(value).ok;
}
