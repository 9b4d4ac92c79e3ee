import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { Answer, Notice, Question, UserInterface } from '@robota-sdk/agent-sdk/front-end';
import type { ServedCall } from './served-call.ts';

/**
 * Asks the user through an MCP client that supports it; each question belongs to the current call. Between calls, and with other
 * clients, no user is available, and calls that need approval are denied.
 */
export class ElicitedInterface implements UserInterface {
  readonly #log: (text: string) => void;
  /** The call that is being answered. */
  call: ServedCall | undefined;

  constructor(log: (text: string) => void) {
    this.#log = log;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const { call } = this;
    if (!call?.canAsk) return { kind: 'unavailable' };
    try {
      const answer = await call.ask(
        formOf(question),
        signal ? AbortSignal.any([signal, call.signal]) : call.signal,
      );
      if (answer.action !== 'accept') return { kind: 'dismissed' };
      const read = answerOf(question, answer.content ?? {});
      if (read.kind === 'dismissed')
        this.#log('The answer to a question fits none of its choices, and counts as declined.');
      return read;
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

function formOf(question: Question): ElicitRequestFormParams {
  const { title, detail } = question;
  return {
    mode: 'form',
    message: detail === undefined ? title : `${title}\n\n${detail}`,
    requestedSchema: {
      type: 'object',
      properties: { answer: fieldOf(question), ...wordsOf(question) },
      required: ['answer'],
    },
  } as ElicitRequestFormParams;
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
  if (question.kind === 'text') return { kind: 'text', text: typeof given === 'string' ? given : '' };
  const chosen = (Array.isArray(given) ? given : [given]).map((label) =>
    question.options.findIndex((option) => option.label === label),
  );
  const indexes = chosen.filter((index) => index >= 0);
  if (indexes.length === 0) return { kind: 'dismissed' };
  const isSaid = typeof words === 'string' && indexes.some((index) => question.options[index]?.asks);
  return { kind: 'selected', indexes, ...(isSaid ? { text: words } : {}) };
}
