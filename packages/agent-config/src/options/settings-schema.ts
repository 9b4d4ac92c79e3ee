import { type JsonObject, permissionModes, thinkingLevels } from '@robota-sdk/agent-core';
import { hookEventNames } from './hook-events.ts';
import { profileSchema, toolProtocolSchema } from './models-schema.ts';
import { taskSettingsSchema } from './task-settings.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const textsByName = { type: 'object', additionalProperties: text };
const amount = { type: 'number', minimum: 0 };

const compactionPolicy = {
  enabled: { ...flag, description: 'Shorten the conversation before the window is full.', default: true },
  ratio: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
    description: 'The part of the window that may be used.',
    default: 0.835,
  },
  reserveTokens: { ...amount, description: 'Tokens that stay free for the answer.', default: 16_384 },
  keepRecentTokens: {
    ...amount,
    description: 'Tokens at the end that stay word for word.',
    default: 20_000,
  },
};

const hookGroup = {
  type: 'object',
  properties: {
    matcher: text,
    hooks: { type: 'array', items: { type: 'object', properties: { type: text }, required: ['type'] } },
    env: textsByName,
  },
};

/**
 * Every setting there is: what it must look like, what it means and what holds without it. Files are checked against this,
 * `robota config` reads it, and `robota config schema` prints it for editors.
 */
export const settingsSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Settings of Robota',
  type: 'object',
  properties: {
    $schema: { ...text, description: 'The schema of this file, for editors.' },
    model: {
      anyOf: [text, profileSchema],
      description:
        'vendor/id, an id, a short name or a profile; an object is the older form of a single profile.',
    },
    defaultModel: { ...text, description: 'The same as model, in older files.' },
    defaultProvider: { ...text, description: 'The vendor of defaultModel, in older files.' },
    models: {
      type: 'object',
      properties: {
        active: { ...text, description: 'The profile to use where no model is named.' },
        profiles: { type: 'array', items: profileSchema },
      },
      description: 'Named ways to reach a model.',
    },
    provider: {
      type: 'object',
      properties: { name: text, model: text, apiKey: text, baseUrl: text, baseURL: text },
      description: 'Vendor, model and key in older files.',
    },
    toolProtocols: {
      type: 'object',
      additionalProperties: toolProtocolSchema,
      description: 'How single models call tools, by vendor/id or id.',
    },
    fallbackModels: { ...texts, description: 'Models to go on with when the first one fails.' },
    thinking: { ...text, enum: [...thinkingLevels], description: 'How much a model thinks.', default: 'off' },
    defaultThinkingLevel: { ...text, enum: [...thinkingLevels], description: 'The same, in older files.' },
    language: { ...text, description: 'The language of the answers: en, ko, ja, zh, …' },
    theme: {
      ...text,
      description:
        'The colours of the terminal: a theme, or one for light and one for dark ones, light/dark.',
      default: 'light/dark',
    },
    vim: { ...flag, description: 'Edit prompts with the keys of vim.', default: false },
    notifications: {
      ...flag,
      description: 'Tell when a run is done or asks something while you look elsewhere.',
      default: true,
    },
    hideThinking: {
      ...flag,
      description: 'Show only the first words of what a model thinks.',
      default: false,
    },
    permissions: {
      type: 'object',
      properties: {
        allow: { ...texts, description: 'Calls that run without a question.' },
        ask: { ...texts, description: 'Calls that are always asked about.' },
        deny: { ...texts, description: 'Calls that never run.' },
        defaultMode: {
          ...text,
          enum: [...permissionModes],
          description: 'The mode a session begins in.',
          default: 'default',
        },
        additionalDirectories: { ...texts, description: 'Directories to work in beside the project.' },
        disableBypassPermissionsMode: {
          ...text,
          enum: ['disable'],
          description: 'Forbids the mode bypassPermissions, wherever it stands.',
        },
      },
    },
    defaultTrustLevel: {
      ...text,
      enum: ['safe', 'moderate', 'full', ...permissionModes],
      description: 'The mode in older files.',
    },
    hooks: {
      type: 'object',
      properties: Object.fromEntries(
        hookEventNames.map((name) => [name, { type: 'array', items: hookGroup }]),
      ),
      description: 'What runs at the events of a session.',
    },
    disableAllHooks: { ...flag, description: 'Run no hooks at all.', default: false },
    env: { ...textsByName, description: 'Variables for commands and hooks.' },
    budget: {
      type: 'object',
      properties: {
        turn: { ...amount, description: 'US dollars for one prompt.' },
        session: { ...amount, description: 'US dollars for one session.' },
        day: { ...amount, description: 'US dollars a day, all sessions together.' },
      },
    },
    maxTurns: {
      type: 'integer',
      minimum: 1,
      description: 'Model calls after which a run stops.',
      default: 500,
    },
    steeringMode: {
      ...text,
      enum: ['one-at-a-time', 'all'],
      description: 'How messages sent during a run join it.',
      default: 'one-at-a-time',
    },
    followUpMode: {
      ...text,
      enum: ['one-at-a-time', 'all'],
      description: 'How messages that wait for the end of a run are sent.',
      default: 'one-at-a-time',
    },
    toolExecution: {
      ...text,
      enum: ['parallel', 'sequential'],
      description: 'Whether independent calls of one answer run side by side.',
      default: 'parallel',
    },
    retry: {
      type: 'object',
      properties: {
        enabled: flag,
        maxRetries: amount,
        baseDelayMs: amount,
        maxDelayMs: amount,
        maxRetryAfterMs: amount,
      },
      description: 'How patiently a failed model call is repeated.',
    },
    idleTimeoutMs: { ...amount, description: 'A stream that is silent for this long counts as broken.' },
    tools: { ...texts, description: 'Only these tools.' },
    excludeTools: { ...texts, description: 'All tools but these.' },
    skillInvocation: {
      ...text,
      enum: ['user', 'auto-invoke'],
      description: 'Who uses a skill that does not say so: only you, or the model too.',
      default: 'auto-invoke',
    },
    extensions: { ...texts, description: 'Packages with extensions; those of all files count.' },
    apiKeys: { ...textsByName, description: 'Keys by vendor; better kept by robota login.' },
    baseUrls: { ...textsByName, description: 'Where vendors are reached.' },
    allowInsecureHttp: { ...flag, description: 'Allow plain http to other machines.', default: false },
    webFetch: {
      type: 'object',
      properties: {
        allowPrivate: { ...flag, description: 'Fetch from private addresses, too.', default: false },
      },
    },
    sandbox: {
      anyOf: [
        { ...text, enum: ['off', 'auto', 'required'] },
        {
          type: 'object',
          properties: {
            mode: { ...text, enum: ['off', 'auto', 'required'] },
            network: { anyOf: [text, { type: 'object', properties: { allow: texts } }] },
            writable: texts,
            readable: texts,
            hidden: texts,
          },
        },
      ],
      description: 'What commands can reach once they run.',
    },
    tasks: taskSettingsSchema,
    compaction: {
      type: 'object',
      properties: {
        ...compactionPolicy,
        model: { ...text, description: 'The model that writes summaries.' },
        models: {
          type: 'object',
          additionalProperties: { type: 'object', properties: compactionPolicy },
          description: 'The same for single models, by vendor/id or id.',
        },
      },
    },
    enabledPlugins: {
      type: 'object',
      additionalProperties: flag,
      description: 'Plugins that are switched on or off, by name@marketplace.',
    },
    extraKnownMarketplaces: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { source: { type: ['string', 'object'] } } },
      description: 'Marketplaces of plugins, by name.',
    },
  },
} as const satisfies JsonObject;
