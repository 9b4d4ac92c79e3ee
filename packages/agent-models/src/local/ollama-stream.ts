import {
  type AnswerDecoder,
  countAt,
  eventPayload,
  failureOfText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  noUsage,
  objectAt,
  objectsAt,
  type SseEvent,
  type StopReason,
  StreamFailure,
  textAt,
  type Usage,
} from '@robota-sdk/agent-core';

type BlockKind = 'text' | 'thinking';

interface Origin {
  readonly vendor: string;
  readonly model: string;
}

/** Decodes the lines of an answer of Ollama. */
export class OllamaStream implements AnswerDecoder {
  usage: Usage | undefined;
  isDone = false;
  /** A break before the last line loses a part of the answer. */
  readonly isComplete = false;
  readonly #origin: Origin;
  #events: ModelEvent[] = [];
  #blocks = 0;
  #calls = 0;
  #open: { readonly kind: BlockKind; readonly index: number } | undefined;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  push(event: SseEvent, said: ModelEvent[]): void {
    this.#events = said;
    const line = eventPayload(event, this.#origin.vendor);
    if (typeof line.error === 'string') this.#fail(line.error);
    const message = objectAt(line, 'message');
    this.#write('thinking', textAt(message, 'thinking'));
    this.#write('text', textAt(message, 'content'));
    for (const call of objectsAt(message, 'tool_calls')) this.#call(call);
    if (line.done === true) this.#end(line);
  }

  /** The last line ends the answer; without it nothing does. */
  finish(): void {}

  #write(kind: BlockKind, text: string): void {
    if (text === '') return;
    if (this.#open?.kind !== kind) {
      this.#close();
      this.#open = { kind, index: this.#blocks++ };
      this.#events.push({ type: `${kind}-start`, index: this.#open.index });
    }
    this.#events.push({ type: `${kind}-delta`, index: this.#open.index, text });
  }

  #close(): void {
    if (this.#open) this.#events.push({ type: `${this.#open.kind}-end`, index: this.#open.index });
    this.#open = undefined;
  }

  /** Calls come whole, with parsed arguments. */
  #call({ id, function: called }: JsonObject): void {
    if (!isJsonObject(called) || typeof called.name !== 'string') return;
    this.#close();
    const index = this.#blocks++;
    this.#calls++;
    const input = isJsonObject(called.arguments) ? called.arguments : {};
    const callId = typeof id === 'string' && id !== '' ? id : `call_${this.#calls}`;
    this.#events.push(
      { type: 'tool-call-start', index, id: callId, name: called.name },
      { type: 'tool-call-delta', index, json: JSON.stringify(input) },
      { type: 'tool-call-end', index, input },
    );
  }

  #end(line: JsonObject): void {
    this.#close();
    this.isDone = true;
    this.usage = {
      ...noUsage,
      input: countAt(line, 'prompt_eval_count'),
      output: countAt(line, 'eval_count'),
    };
    this.#events.push({ type: 'end', stopReason: this.#stopReason(line.done_reason), usage: this.usage });
  }

  #stopReason(reason: JsonValue | undefined): StopReason {
    if (reason === 'length') return 'length';
    return this.#calls > 0 ? 'tool-calls' : 'end';
  }

  #fail(text: string): never {
    throw new StreamFailure(failureOfText({ ...this.#origin, type: 'server_error', text }));
  }
}
