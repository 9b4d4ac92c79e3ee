import {
  failureOfText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  noUsage,
  type StopReason,
  StreamFailure,
  type Usage,
} from '@robota-sdk/agent-core';

type BlockKind = 'text' | 'thinking';

interface Origin {
  readonly vendor: string;
  readonly model: string;
}

/** Decodes the lines of an answer of Ollama. */
export class OllamaStream {
  usage: Usage | undefined;
  isDone = false;
  readonly #origin: Origin;
  #events: ModelEvent[] = [];
  #blocks = 0;
  #calls = 0;
  #open: { readonly kind: BlockKind; readonly index: number } | undefined;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  push(line: JsonObject): readonly ModelEvent[] {
    this.#events = [];
    if (typeof line.error === 'string') this.#fail(line.error);
    const message = isJsonObject(line.message) ? line.message : {};
    this.#write('thinking', message.thinking);
    this.#write('text', message.content);
    for (const call of listOf(message.tool_calls)) this.#call(call);
    if (line.done === true) this.#end(line);
    return this.#events;
  }

  #write(kind: BlockKind, text: JsonValue | undefined): void {
    if (typeof text !== 'string' || text === '') return;
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
    const { prompt_eval_count: input, eval_count: output } = line;
    this.usage = { ...noUsage, input: countOf(input), output: countOf(output) };
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

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each: JsonValue) => isJsonObject(each)) : [];
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
