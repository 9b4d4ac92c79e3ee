import { apiKinds, type JsonObject, toolProtocols } from '@robota-sdk/agent-core';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 1 };
const amount = { type: 'number', minimum: 0 };
const textsByName = { type: 'object', additionalProperties: text };

const kinds = apiKinds.filter((kind) => kind !== 'offline');
const api = {
  ...text,
  enum: [...kinds, 'openai-completions', 'anthropic-messages', 'google-generative-ai'],
  description: 'What the server speaks.',
};

/** How a model calls tools. */
export const toolProtocolSchema = {
  ...text,
  enum: [...toolProtocols],
  description: 'xnl writes calls into the text, for models without function calling.',
  default: 'native',
};

const compat = {
  type: 'object',
  properties: {
    supportsTools: flag,
    supportsDeveloperRole: flag,
    supportsStore: flag,
    supportsReasoningEffort: flag,
    supportsUsageInStreaming: flag,
    requiresToolResultName: flag,
    requiresAssistantAfterToolResult: flag,
    requiresThinkingAsText: flag,
    supportsStrictMode: flag,
    maxTokensField: { ...text, enum: ['max_tokens', 'max_completion_tokens'] },
    reasoningEffortMap: textsByName,
    thinkingFormat: text,
  },
  description: 'Where a server differs from the API it speaks.',
};

const modelProperties = {
  name: text,
  api,
  reasoning: { ...flag, default: false },
  input: { type: 'array', items: { ...text, enum: ['text', 'image'] } },
  contextWindow: { ...count, description: 'Tokens that fit the model.', default: 128_000 },
  maxTokens: { ...count, description: 'Tokens it can answer at most.', default: 16_384 },
  cost: {
    type: 'object',
    properties: { input: amount, output: amount, cacheRead: amount, cacheWrite: amount },
    description: 'US dollars for a million tokens.',
  },
  compat,
  toolProtocol: toolProtocolSchema,
};

/** A named way to reach a model, as it stands in the settings and in `config.json` of eidolon. */
export const profileSchema = {
  type: 'object',
  properties: {
    name: text,
    provider: { ...text, description: 'The vendor; found by the model where absent.' },
    model: text,
    apiKey: { ...text, description: 'Better $ENV:NAME than the key itself.' },
    baseUrl: text,
    apiKind: api,
    maxOutputTokens: count,
    maxInputChars: count,
    toolProtocol: toolProtocolSchema,
  },
} as const satisfies JsonObject;

/** `models.json`: vendors and models of the user, in pi's shape. */
export const modelsSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Vendors and models of Robota',
  type: 'object',
  properties: {
    $schema: text,
    providers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          baseUrl: text,
          api,
          apiKey: { ...text, description: '$ENV:NAME, the name of a variable, or the key itself.' },
          headers: textsByName,
          authHeader: flag,
          compat,
          models: {
            type: 'array',
            items: { type: 'object', properties: { id: text, ...modelProperties }, required: ['id'] },
          },
          modelOverrides: {
            type: 'object',
            additionalProperties: { type: 'object', properties: modelProperties },
          },
        },
      },
    },
  },
} as const satisfies JsonObject;
