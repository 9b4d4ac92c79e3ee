import { isJsonObject, type JsonValue } from './json.ts';

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = ['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'];
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const named = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** The problem of a user's JSON Schema, starting with the path; undefined if it is valid. */
export function schemaProblem(schema: JsonValue, place = 'the schema'): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return `${place} must be an object like {"type": "string"}`;
  return (
    typeProblem(schema.type, place) ?? requiredProblem(schema.required, place) ?? partProblem(schema, place)
  );
}

function typeProblem(type: JsonValue | undefined, place: string): string | undefined {
  if (type === undefined) return undefined;
  const wrong = (Array.isArray(type) ? type : [type]).find((name) => !typeNames.includes(String(name)));
  if (wrong === undefined) return undefined;
  return `${place}: ${JSON.stringify(wrong)} is not a type; the types are ${typeNames.join(', ')}`;
}

function requiredProblem(required: JsonValue | undefined, place: string): string | undefined {
  const isList = Array.isArray(required) && required.every((name) => typeof name === 'string');
  return required === undefined || isList ? undefined : `${place}: "required" must be a list of names`;
}

function partProblem(schema: Readonly<Record<string, JsonValue>>, place: string): string | undefined {
  const parts = [
    ...single.filter((key) => key in schema).map((key) => [key, schema[key]] as const),
    ...listed.flatMap((key) =>
      entriesOf(schema[key]).map(([index, part]) => [`${key}[${index}]`, part] as const),
    ),
    ...named.flatMap((key) =>
      entriesOf(schema[key]).map(([name, part]) => [`${key}.${name}`, part] as const),
    ),
  ];
  for (const [name, part] of parts) {
    const problem =
      part === undefined || Array.isArray(part) ? undefined : schemaProblem(part, `${place}, ${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
