import {
  didYouMean,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type Schema,
} from '@robota-sdk/agent-core';

/** Comments that models add to a call; they can be dropped. */
const remarks: ReadonlySet<string> = new Set([
  ...['description', 'explanation', 'instruction', 'intent', 'purpose', 'rationale', 'reason', 'reasoning'],
  ...['summary', 'thinking', 'thought', 'title'],
]);

/**
 * A schema that refuses unknown arguments: a model's request must not be ignored silently. `advice` says what to do
 * instead, by the name of an argument that other agents have.
 */
export function strictSchema<T>(json: JsonObject, advice: Readonly<Record<string, string>> = {}): Schema<T> {
  const schema = jsonSchema<T>(json);
  return {
    json: schema.json,
    parse(value) {
      const parsed = schema.parse(value);
      const unknown = parsed.ok ? unknownIn(parsed.value as JsonValue, json) : undefined;
      return unknown === undefined ? parsed : { ok: false, error: sentence(unknown, advice) };
    },
  };
}

interface Unknown {
  readonly name: string;
  readonly known: readonly string[];
}

function unknownIn(value: JsonValue, schema: JsonValue | undefined): Unknown | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (Array.isArray(value)) return firstOf(value.map((item) => unknownIn(item, schema.items)));
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return undefined;
  const { properties } = schema;
  return firstOf(
    Object.entries(value).map(([name, item]) => {
      if (Object.hasOwn(properties, name)) return unknownIn(item, properties[name]);
      // Null and false mean that the option is not requested.
      const isIdle = item === null || item === false || remarks.has(name);
      return isIdle ? undefined : { name, known: Object.keys(properties) };
    }),
  );
}

function firstOf(found: readonly (Unknown | undefined)[]): Unknown | undefined {
  return found.find((each) => each !== undefined);
}

function sentence({ name, known }: Unknown, advice: Readonly<Record<string, string>>): string {
  const own = Object.hasOwn(advice, name) ? advice[name] : undefined;
  const hint = own ?? didYouMean(name, known) ?? `Known: ${known.join(', ')}.`;
  return `Unknown argument ${name}. ${hint} Nothing was done.`;
}
