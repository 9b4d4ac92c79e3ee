import {
  type AnswerDecoder,
  eventPayload,
  failureOfText,
  isJsonObject,
  type JsonObject,
  type ModelEvent,
  type ModelRequest,
  type SseEvent,
  StreamFailure,
  textAt,
  type Usage,
} from '@robota-sdk/agent-core';

/** Reads the payloads of one answer, which `[DONE]` ends. */
export abstract class PayloadDecoder implements AnswerDecoder {
  isComplete = false;
  isDone = false;
  usage: Usage | undefined;
  protected readonly vendor: string;
  /** Takes the events of what is being read. */
  protected events: ModelEvent[] = [];
  /** How many blocks have begun. */
  protected blocks = 0;
  readonly #model: string;

  constructor(request: ModelRequest, vendor: string) {
    this.vendor = vendor;
    this.#model = request.model.id;
  }

  push(event: SseEvent, said: ModelEvent[]): void {
    this.events = said;
    this.isDone ||= event.data.length < 10 && event.data.trim() === '[DONE]';
    this.isComplete ||= this.isDone;
    if (!this.isDone) this.read(eventPayload(event, this.vendor));
  }

  finish(said: ModelEvent[]): void {
    this.events = said;
    this.end();
  }

  protected abstract read(payload: JsonObject): void;

  /** Adds the end of the answer, if it is whole. */
  protected abstract end(): void;

  /** Fails with an error that came inside a stream, in any of the shapes vendors use. */
  protected fail(error: unknown): never {
    const fields: JsonObject = isJsonObject(error) ? error : { message: String(error) };
    const type = [textAt(fields, 'type'), textAt(fields, 'code')].filter((part) => part !== '').join(' ');
    const text = textAt(fields, 'message') || (type === '' ? JSON.stringify(error).slice(0, 500) : '');
    const status = statusOf(fields.code);
    throw new StreamFailure(
      failureOfText({ vendor: this.vendor, model: this.#model, status, type, text, body: fields }),
    );
  }
}

function statusOf(code: unknown): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}

/** The `authorization` header of a connection that has a key. */
export function bearer(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}
