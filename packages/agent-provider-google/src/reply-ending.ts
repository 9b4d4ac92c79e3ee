import type { ModelFailure, StopReason } from '@robota-sdk/agent-core';

/** The end of a reply: a stop reason, perhaps with a notice, or a failure. */
export interface ReplyEnding {
  readonly stopReason: StopReason;
  readonly note?: string;
  readonly failure?: ModelFailure;
}

interface EndingFacts {
  readonly vendor: string;
  readonly finishReason: string;
  readonly finishMessage: string;
  /** Why the prompt itself was refused. */
  readonly blockReason: string;
  readonly hasOutput: boolean;
}

const refusals: Readonly<Record<string, string>> = {
  SAFETY: 'it was judged unsafe',
  RECITATION: 'it repeats published text too closely',
  LANGUAGE: 'its language is not supported',
  BLOCKLIST: 'it contains a forbidden term',
  PROHIBITED_CONTENT: 'its content is prohibited',
  SPII: 'it contains sensitive personal data',
  IMAGE_SAFETY: 'an image was judged unsafe',
  MODEL_ARMOR: "the project's own content filter refused it",
};

/** Ends that a second attempt often avoids: the model made a call that can't be read. */
const badCalls = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

/** Interprets the end of a reply; undefined while it continues. */
export function endingOf(facts: EndingFacts): ReplyEnding | undefined {
  const { vendor, finishReason, finishMessage, blockReason, hasOutput } = facts;
  if (blockReason !== '') return refusal(`${vendor} refused the request`, blockReason, finishMessage);
  if (finishReason === '') return undefined;
  if (finishReason === 'STOP') return { stopReason: 'end' };
  if (finishReason === 'MAX_TOKENS') return { stopReason: 'length' };
  if (finishReason in refusals) return refusal(`${vendor} cut the answer off`, finishReason, finishMessage);
  if (badCalls.has(finishReason)) {
    return failed({
      code: 'protocol',
      retryable: true,
      message:
        `${vendor}: the model made a tool call that can't be read (${finishReason}). ${finishMessage}`.trim(),
    });
  }
  if (finishReason === 'MISSING_THOUGHT_SIGNATURE') {
    return failed({
      code: 'invalid-request',
      retryable: false,
      message: `${vendor}: the conversation lacks signatures of this model's thoughts. Start a new conversation, or use the model that began it.`,
    });
  }
  const note =
    `${vendor} ended the answer for a reason we don't know: ${finishReason}. ${finishMessage}`.trim();
  return hasOutput ? { stopReason: 'end', note } : failed({ code: 'server', retryable: true, message: note });
}

function refusal(what: string, reason: string, detail: string): ReplyEnding {
  const why = refusals[reason] ?? 'the reason was not explained';
  return { stopReason: 'refusal', note: `${what}: ${why} (${reason}). ${detail}`.trim() };
}

function failed(failure: ModelFailure): ReplyEnding {
  return { stopReason: 'error', failure };
}
