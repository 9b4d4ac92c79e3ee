import type { JsonObject } from '@robota-sdk/agent-core';
/** Passes a question on to a program; what it answers is what the server hears. */
export type Elicit = (
  server: string,
  question: JsonObject,
  signal: AbortSignal,
) => Promise<JsonObject | undefined>;
