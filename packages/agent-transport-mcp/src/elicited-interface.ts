import type { ServerContext } from '@modelcontextprotocol/server';
import type { Answer, Notice, Question, UserInterface } from '@robota-sdk/agent-sdk/front-end';

type FormRequest = Extract<
  Parameters<ServerContext['mcpReq']['elicitInput']>[0],
  { requestedSchema: unknown }
>;

/**
 * Asks the user through an MCP client that supports it; each question belongs to the current request. Between
 * requests, and with other clients, no user is available, and calls that need approval are denied.
 */
export class ElicitedInterface implements UserInterface {
  readonly #canAsk: () => boolean;
  readonly #log: (text: string) => void;
  /** The request that is being answered. */
  context: ServerContext | undefined;

  constructor(options: { canAsk(): boolean; log(text: string): void }) {
    this.#canAsk = options.canAsk;
    this.#log = options.log;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const { context } = this;
    if (!context || !this.#canAsk()) return { kind: 'unavailable' };
    try {
      const answer = await context.mcpReq.elicitInput(formOf(question), {
        // Users need time to answer.
        timeout: 24 * 3_600_000,
        ...(signal ? { signal } : {}),
      });
      if (answer.action !== 'accept') return { kind: 'dismissed' };
      return answerOf(question, answer.content ?? {});
    } catch (thrown) {
      signal?.throwIfAborted();
      this.#log(
        `A question could not be asked: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
      return { kind: 'unavailable' };
    }
  }

  notify({ text }: Notice): void {
    this.#log(text);
  }
}

function formOf(question: Question): FormRequest {
  const { title, detail } = question;
  return {
    mode: 'form',
    message: detail === undefined ? title : `${title}\n\n${detail}`,
    requestedSchema: {
      type: 'object',
      properties: { answer: fieldOf(question), ...wordsOf(question) },
      required: ['answer'],
    },
  } as FormRequest;
}

function fieldOf(question: Question) {
  if (question.kind === 'confirm') return { type: 'boolean', title: 'Yes', default: false };
  if (question.kind === 'text') return { type: 'string', title: question.title };
  const labels = question.options.map(({ label }) => label);
  return question.multiple
    ? { type: 'array', title: 'Choose', items: { type: 'string', enum: labels } }
    : { type: 'string', title: 'Choose', enum: labels };
}

/** A field for text that goes with a choice. */
function wordsOf(question: Question) {
  const asks = question.kind === 'select' ? question.options.find((option) => option.asks)?.asks : undefined;
  return asks === undefined ? {} : { words: { type: 'string', title: asks } };
}

/** Whatever does not answer the question is no answer. */
function answerOf(
  question: Question,
  { answer: given, words }: { readonly answer?: unknown; readonly words?: unknown },
): Answer {
  if (question.kind === 'confirm') return { kind: 'confirmed', yes: given === true };
  if (question.kind === 'text') return { kind: 'text', text: String(given ?? '') };
  const chosen = (Array.isArray(given) ? given : [given]).map((label) =>
    question.options.findIndex((option) => option.label === label),
  );
  const indexes = chosen.filter((index) => index >= 0);
  if (indexes.length === 0) return { kind: 'dismissed' };
  const isSaid = typeof words === 'string' && indexes.some((index) => question.options[index]?.asks);
  return { kind: 'selected', indexes, ...(isSaid ? { text: words } : {}) };
}
