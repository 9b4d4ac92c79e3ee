import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** How long a user may take to answer. */
const patienceMs = 24 * 3_600_000;
/** How long a call is held; a client that gives up cannot say so while its user is asked. */
const defaultHoldMs = 3_600_000;

/** The name of the only question of a request. */
const questionKey = 'answer';

/** The part of each request since 2026-07-28 that describes its client; the library checks it. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities | undefined;
}

/** True if the client of a request can show forms to its user. */
export function canAsk({ mcpReq: { envelope } }: ServerContext, server: Server): boolean {
  const announced: Envelope = envelope ?? { [CLIENT_CAPABILITIES_META_KEY]: server.getClientCapabilities() };
  const { elicitation } = announced[CLIENT_CAPABILITIES_META_KEY] ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/**
 * A call of a client, from its first request to its result. Before 2026-07-28 its user is asked by a request of ours. Since then
 * a question ends the request, and the answer comes with another one; the call is held meanwhile.
 */
export class ServedCall {
  /** Names the call in the client's next request; it cannot be guessed. */
  readonly id = randomUUID();
  readonly canAsk: boolean;
  /** The conversation that the call belongs to, once it is known. */
  sessionId: string | undefined;
  readonly #ended = new AbortController();
  readonly #holdMs: number;
  readonly #result: Promise<CallToolResult>;
  #context: ServerContext;
  #question: PendingQuestion | undefined;
  /** Resolves with the next question. */
  #asked: Promise<InputRequiredResult>;
  #onAsk: (asking: InputRequiredResult) => void = () => {};
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    context: ServerContext,
    options: { readonly canAsk: boolean; readonly holdMs?: number },
    run: (call: ServedCall) => Promise<CallToolResult>,
  ) {
    this.#context = context;
    this.canAsk = options.canAsk;
    this.#holdMs = options.holdMs ?? defaultHoldMs;
    this.#asked = this.#nextQuestion();
    this.#result = run(this);
  }

  /** Resolves when it is over, with or without a result. */
  get over(): Promise<void> {
    return this.#result.then(
      () => {},
      () => {},
    );
  }

  /** Ends with a cancelled request, without an answer in time, and with the client. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** True while it waits for its user. */
  get isHeld(): boolean {
    return this.#question !== undefined;
  }

  /** Waits for the result or a question, for one request of the client. */
  async serve(context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    this.#context = context;
    const { signal, inputResponses } = context.mcpReq;
    const question = this.#question;
    if (question) {
      const answer = inputResponse(inputResponses, questionKey);
      // A request without an answer is asked again.
      if (answer.kind !== 'elicit') return question.asking;
      this.#asked = this.#nextQuestion();
      const { action, content } = answer;
      question.answer({
        action,
        ...(content ? { content: content as NonNullable<ElicitResult['content']> } : {}),
      });
    }
    const cancel = () => this.end(signal.reason);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await Promise.race([this.#result, this.#asked]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  end(reason: unknown): void {
    this.#ended.abort(reason);
  }

  /** Tells a client that asked for it how far the call is. */
  report(progress: number, message: string): void {
    const { mcpReq } = this.#context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.isHeld) return;
    // The client may be gone.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {});
  }

  /** Asks the user behind the client, one question at a time. */
  ask(form: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
    const asked = this.#last.then(() => {
      signal.throwIfAborted();
      const { mcpReq } = this.#context;
      return mcpReq.envelope
        ? this.#hold(form, signal)
        : mcpReq.elicitInput(form, { signal, timeout: patienceMs });
    });
    this.#last = asked.catch(() => {});
    return asked;
  }

  async #hold(form: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
    const inputRequests = { [questionKey]: inputRequired.elicit(form) };
    const asking = inputRequired({ inputRequests, requestState: this.id });
    const timer = setTimeout(() => this.end(new Error('no answer in time')), this.#holdMs);
    const answered = new Promise<ElicitResult>((answer, reject) => {
      this.#question = { asking, answer };
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    this.#onAsk(asking);
    try {
      return await answered;
    } finally {
      this.#question = undefined;
      clearTimeout(timer);
    }
  }

  #nextQuestion(): Promise<InputRequiredResult> {
    return new Promise((resolve) => {
      this.#onAsk = resolve;
    });
  }
}

interface PendingQuestion {
  readonly asking: InputRequiredResult;
  answer(result: ElicitResult): void;
}

/** The calls of a client that are not over. */
export class ServedCalls {
  readonly #calls = new Map<string, ServedCall>();

  /** Serves one request: begins a call, or continues the one that it answers a question of. */
  async serve(
    context: ServerContext,
    begin: () => ServedCall,
  ): Promise<CallToolResult | InputRequiredResult> {
    const id = context.mcpReq.requestState<string>();
    const call = id === undefined ? this.#begin(begin()) : this.#calls.get(id);
    if (call) return call.serve(context);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The call that this answers is over. Call again.',
    );
  }

  #begin(call: ServedCall): ServedCall {
    this.#calls.set(call.id, call);
    void call.over.then(() => this.#calls.delete(call.id));
    return call;
  }

  /** Ends what a conversation waits for: its client asks for something else. */
  release(sessionId: string): void {
    for (const call of this.#calls.values())
      if (call.isHeld && call.sessionId === sessionId) call.end(new Error('the client made another call'));
  }

  end(): void {
    for (const call of this.#calls.values()) call.end(new Error('the client is gone'));
  }
}
