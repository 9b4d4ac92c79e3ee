import type { ClientCapabilities, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonValue, jsonCopy } from '@robota-sdk/agent-core';
import type { Elicit } from '../contract/elicit.ts';
import { formFields } from './elicitation-field.ts';

/** Answers what a server wants to know. */
export interface ElicitationAnswers {
  /** The capability announced to servers. */
  readonly capability: NonNullable<ClientCapabilities['elicitation']>;
  answer(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult>;
}

/** Answers with the defaults of a server's questions; declines where one that must be answered has none, and pages. */
export const defaultAnswers: ElicitationAnswers = {
  capability: { form: { applyDefaults: true } },
  answer: async (params) => {
    if (!('requestedSchema' in params)) return { action: 'decline' };
    const written: unknown = params.requestedSchema;
    const schema = isJsonObject(written) ? written : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const content: Record<string, JsonValue> = {};
    for (const { name, schema: field } of formFields(schema)) {
      if (field.default !== undefined) content[name] = field.default;
      else if (required.includes(name)) return { action: 'decline' };
    }
    return { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
  },
};

/** Has a program answer; whatever is no clear answer declines. */
export function programAnswers(
  server: string,
  { elicit, onAsk }: { readonly elicit: Elicit; onAsk(): () => void },
): ElicitationAnswers {
  return {
    capability: { form: {}, url: {} },
    answer: async (params, signal) => {
      const answered = onAsk();
      try {
        const answer = await elicit(server, jsonCopy(params), signal);
        const { action, content } = answer ?? {};
        if (action !== 'accept') return { action: action === 'cancel' ? 'cancel' : 'decline' };
        return {
          action,
          ...(isJsonObject(content) ? { content: content as NonNullable<ElicitResult['content']> } : {}),
        };
      } finally {
        answered();
      }
    },
  };
}
