import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Model,
  type ModelRequest,
  type ThinkingLevel,
  type ToolSpec,
} from '@robota-sdk/agent-core';
import { toContents } from './contents.ts';

/**
 * The body of a call. `contents` stands last, so that a request is a byte prefix of the next one as far as the
 * conversation is the same.
 */
export function buildBody(request: ModelRequest, vendor: string): JsonObject {
  const thinking = thinkingConfig(request.model, request.thinking);
  return {
    ...(request.system === '' ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(request.tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: request.tools.map(toFunctionDeclaration) }] }),
    generationConfig: {
      maxOutputTokens: request.maxOutput ?? request.model.maxOutput,
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    },
    contents: toContents(request, vendor),
  };
}

const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
};

const levels: Readonly<Record<ThinkingLevel, string>> = {
  off: 'LOW',
  minimal: 'LOW',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
};

/**
 * The thinking settings: a token budget for Gemini 2.5, a level from Gemini 3 on. Gemini 3 cannot switch
 * thinking off; `off` means the lowest level with hidden thoughts. A model may rename levels by
 * `reasoningEffortMap`.
 */
function thinkingConfig(model: Model, level: ThinkingLevel): JsonObject | undefined {
  const shown = level === 'off' ? {} : { includeThoughts: true };
  if (model.thinking === 'budget') return { thinkingBudget: budgetFor(model.id, level), ...shown };
  if (model.thinking === 'effort' || model.thinking === 'adaptive') {
    return { thinkingLevel: model.compat?.reasoningEffortMap?.[level] ?? levels[level], ...shown };
  }
  return model.thinking === 'always' && level !== 'off' ? shown : undefined;
}

/** The Pro models of 2.5 think at least 128 tokens and up to 32,768; the others stop at 24,576. */
function budgetFor(id: string, level: ThinkingLevel): number {
  return id.includes('pro') ? Math.max(128, budgets[level]) : Math.min(24_576, budgets[level]);
}

/** Keywords that only say which dialect a schema is written in; Google knows one dialect. */
const dropped = new Set(['$schema', '$id', '$comment']);
/** Keywords whose value maps names to schemas: a name may look like a keyword there. */
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'patternProperties']);
/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** A tool in Google's words; `parametersJsonSchema` takes plain JSON Schema. */
function toFunctionDeclaration(tool: ToolSpec): JsonObject {
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
