import type { JsonObject } from '@robota-sdk/agent-core';

/** `auth.json`: keys by vendor, in pi's shape. */
export const credentialsSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Keys of Robota',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    mcp: { type: 'object', description: 'Logins to MCP servers, by address.' },
  },
  additionalProperties: {
    anyOf: [
      {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['api_key'] },
          key: { type: 'string', description: 'The key itself; only the user may read the file.' },
        },
        required: ['key'],
      },
      { type: 'string' },
    ],
  },
} as const satisfies JsonObject;
