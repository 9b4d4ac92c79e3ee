import type { JsonObject } from '@robota-sdk/agent-core';
import { credentialsSchema } from './credentials-schema.ts';
import { modelsSchema } from './models-schema.ts';
import { settingsSchema } from './settings-schema.ts';

/** The schemas of our files, by name. */
export const settingsSchemas: Readonly<Record<string, JsonObject>> = {
  settings: settingsSchema,
  models: modelsSchema,
  credentials: credentialsSchema,
};
