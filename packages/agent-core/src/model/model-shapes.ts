import { type ApiKind, apiKinds, piApis } from '../message/model-ref.ts';
import { described, lazy, mapped, nonEmptyText, url, whole, withDefault } from '../shape/combine.ts';
import { amount, count, flag, list, object, record, type Shape, text, words } from '../shape/shape.ts';
import { modelDefaults, thinkingFormats, toolProtocols } from './model.ts';

const aliasNames = ['openai-completions', 'anthropic-messages', 'google-generative-ai'] as const;
const ownKinds = apiKinds.filter((kind) => kind !== 'offline');

/** An API kind by our name or pi's; anything else is an error, never a guess. */
const api: Shape<ApiKind> = described(
  mapped(words(...ownKinds, ...aliasNames), (kind) =>
    kind in piApis ? piApis[kind as keyof typeof piApis] : (kind as ApiKind),
  ),
  'API of the server.',
);

/** How a model calls tools. */
export const toolProtocolShape = withDefault(
  described(words(...toolProtocols), 'xnl writes calls into the text, for models without function calling.'),
  'native',
);

const texts = record(text);

const compat = () =>
  described(
    object(
      {},
      {
        supportsTools: flag,
        supportsDeveloperRole: flag,
        supportsStore: flag,
        supportsReasoningEffort: flag,
        supportsUsageInStreaming: flag,
        requiresToolResultName: flag,
        requiresAssistantAfterToolResult: flag,
        requiresThinkingAsText: flag,
        supportsStrictMode: flag,
        maxTokensField: words('max_tokens', 'max_completion_tokens'),
        reasoningEffortMap: texts,
        thinkingFormat: words(...thinkingFormats),
      },
    ),
    'Differences of the server from that API.',
  );

const modelFields = () => ({
  name: text,
  api,
  reasoning: withDefault(flag, false),
  input: list(words('text', 'image')),
  contextWindow: withDefault(described(count, 'Context window in tokens.'), modelDefaults.contextWindow),
  maxTokens: withDefault(described(count, 'Maximum number of output tokens.'), modelDefaults.maxOutput),
  cost: described(
    object({}, { input: amount, output: amount, cacheRead: amount, cacheWrite: amount }),
    'US dollars for a million tokens.',
  ),
  compat: compat(),
  toolProtocol: toolProtocolShape,
});

const profileFields = () => ({
  provider: described(text, 'The vendor; by default, that of the model.'),
  apiKey: described(text, 'Prefer $ENV:NAME or !COMMAND to the key itself.'),
  baseUrl: url,
  apiKind: api,
  maxOutputTokens: count,
  maxInputChars: count,
  toolProtocol: toolProtocolShape,
});

/** A named way to reach a model, as in the settings and in eidolon's `config.json`. */
export const profileShape = lazy(() => object({ name: nonEmptyText, model: nonEmptyText }, profileFields()));

/** The only profile of an older file, which may lack a name. */
export const singleProfileShape = lazy(() =>
  object({ model: nonEmptyText }, { name: text, ...profileFields() }),
);

/** `models.json`: the user's vendors and models in pi's format. An invalid entry is skipped; the rest is used. */
export const modelsFileShape = lazy(() =>
  object(
    {},
    {
      $schema: text,
      providers: record(
        whole(
          object(
            {},
            {
              baseUrl: url,
              api,
              apiKey: described(
                text,
                '$ENV:NAME, the name of a variable, !COMMAND that prints it, or the key itself.',
              ),
              headers: texts,
              authHeader: flag,
              compat: compat(),
              models: list(whole(object({ id: nonEmptyText }, modelFields()))),
              modelOverrides: record(whole(object({}, modelFields()))),
            },
          ),
        ),
      ),
    },
  ),
);
