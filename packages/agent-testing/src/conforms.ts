import { type JsonObject, jsonSchema } from '@robota-sdk/agent-core';

/** True if a text is JSON of a shape, for servers that let a model write nothing else. */
export function conforms(text: string, schema: JsonObject): boolean {
  try {
    return jsonSchema(schema).parse(JSON.parse(text)).ok;
  } catch {
    return false;
  }
}
