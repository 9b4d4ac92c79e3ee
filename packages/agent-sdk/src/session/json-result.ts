import {
  type AgentErrorCode,
  decodeJson,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  type RunOutcome,
  type UserContent,
} from '@robota-sdk/agent-core';
import { type Conversation, joinOutcomes, type PromptOptions } from '@robota-sdk/agent-sessions';

/** How often the model may correct an answer that misses the schema. */
const corrections = 2;

export interface JsonResult {
  readonly outcome: RunOutcome;
  readonly structured?: JsonValue;
}

/** Runs a prompt whose answer must be JSON of a given shape; an invalid answer is sent back once, then fails. */
export async function promptForJson(
  session: Conversation,
  content: readonly UserContent[],
  { jsonSchema: schema, ...options }: PromptOptions & { readonly jsonSchema: JsonObject },
): Promise<JsonResult> {
  const request = `When you are done, answer with JSON alone (no prose, no code fence) that conforms to this JSON Schema:\n${JSON.stringify(schema)}`;
  let next: readonly UserContent[] = [...content, { type: 'text', text: request }];
  // A correction refers only to the answer.
  const { attachments: _, shown: __, ...corrected } = options;
  let total: RunOutcome | undefined;
  for (let attempt = 0; ; attempt++) {
    // An enforced schema excludes tool calls, so it is only sent when the work is done.
    const isWritten = attempt > 0 || session.surroundings.tools?.length === 0;
    const manner = attempt === 0 ? options : corrected;
    const latest = await session.prompt(next, isWritten ? { ...manner, answerSchema: schema } : manner);
    const outcome = total ? joinOutcomes(total, latest) : latest;
    total = outcome;
    if (outcome.status !== 'completed') return { outcome };
    const parsed = parseAnswer(outcome.text, schema);
    if (parsed.ok)
      return { outcome: { ...outcome, text: JSON.stringify(parsed.value) }, structured: parsed.value };
    if (attempt === corrections) return { outcome: failed(outcome, parsed.error) };
    const hint = `That answer does not conform: ${parsed.error}. Answer again with the JSON alone.`;
    next = [{ type: 'text', text: hint }];
  }
}

function parseAnswer(text: string, schema: JsonObject) {
  const trimmed = text.trim();
  const opening = /^```(?:json)?[^\S\n]*\n/.exec(trimmed)?.[0];
  const isFenced = opening !== undefined && trimmed.length >= opening.length + 3 && trimmed.endsWith('```');
  const read = decodeJson(isFenced ? trimmed.slice(opening.length, -3) : text);
  if (!read.ok) return { ok: false, error: `it is not JSON (${read.error})` } as const;
  return jsonSchema<JsonValue>(schema).parse(read.value);
}

function failed(outcome: RunOutcome, problem: string): RunOutcome {
  const code: AgentErrorCode = 'schema';
  const message = `The answer does not conform to the JSON Schema after ${corrections} corrections: ${problem}.`;
  return { ...outcome, status: 'failed', error: { code, message } };
}
