import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import {
  AgentError,
  type AgentEvent,
  batchOf,
  commonLength,
  errorMessage,
  given,
  givenFields,
  type HookPoint,
  type Model,
  type ModelChoice,
  type ModelEvent,
  type ModelRequest,
  type ModelStream,
  textOf,
} from '@robota-sdk/agent-core';
import type { Conversation } from '../session/conversation.ts';
import { type CassetteHeader, type CassetteLine, cassetteVersion, replayedPoints } from './cassette.ts';
import { joinBlockDeltas } from './join-block-deltas.ts';
import { type PrintMaking, placeNames, printOf, redactedJson } from './request-print.ts';
import type { SessionTap } from './session-tap.ts';

export interface RecordingOptions {
  readonly file: string;
  readonly cwd: string;
  readonly home: string;
  /** Removes secrets from written text. */
  redact(text: string): string;
}

/** Writes every exchange with a model and every tool result of a session into a file. */
export async function recordSession(options: RecordingOptions): Promise<SessionTap> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND } = constants;
  const handle = await open(options.file, O_CREAT | O_EXCL | O_WRONLY | O_APPEND, 0o600).catch(
    (thrown: NodeJS.ErrnoException) => {
      const isThere = thrown.code === 'EEXIST';
      const why = isThere ? 'the file already exists. Choose another name' : errorMessage(thrown);
      throw new AgentError('usage', `The recording cannot be written to ${options.file}: ${why}.`);
    },
  );
  return new Recording(handle, options);
}

class Recording implements SessionTap {
  readonly #handle: FileHandle;
  readonly #options: RecordingOptions;
  readonly #making: PrintMaking;
  readonly #wouldAllow = new Map<string, readonly string[]>();
  readonly #models: Model[] = [];
  #writing: Promise<void> = Promise.resolve();
  #before: readonly string[] = [];
  #sessionId: string | undefined;

  constructor(handle: FileHandle, options: RecordingOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#making = { places: placeNames(options), redact: options.redact };
  }

  choice(choice: ModelChoice): ModelChoice {
    this.#models.push(choice.model);
    const { provider } = choice;
    const stream = (request: ModelRequest) => this.#recorded(request, provider.stream(request));
    return { ...choice, provider: { vendor: provider.vendor, stream } };
  }

  tool: SessionTap['tool'] = (tool) => tool;

  prompted: SessionTap['prompted'] = (content) => this.#write({ type: 'prompt', text: textOf(content) });

  authorize: SessionTap['authorize'] = (authorize) => async (request, signal) => {
    const answer = await authorize(request, signal);
    if (!answer.allowed && answer.wouldAllow) this.#wouldAllow.set(request.call.id, answer.wouldAllow);
    return answer;
  };

  attach: SessionTap['attach'] = (session, hooks) => {
    this.#sessionId = session.id;
    this.#writeHeader(session);
    session.subscribe((event) => {
      this.#observe(event);
      this.#observeRun(event);
    });
    hooks.onResult = (point, result) => this.#writeHook(point, result);
    session.state.get({
      name: 'recording',
      create: () => this,
      dispose: async () => {
        await this.#writing;
        await this.#handle.close();
      },
    });
  };

  watch: SessionTap['watch'] = (session) => {
    session.subscribe((event) => this.#observe(event));
  };

  async *#recorded(request: ModelRequest, stream: ModelStream): ModelStream {
    const { messages, ...print } = printOf(request, this.#making);
    const byAgent = this.#sessionId !== undefined && request.sessionId !== this.#sessionId;
    const shared = commonLength(this.#before, messages);
    this.#before = messages;
    const events: ModelEvent[] = [];
    try {
      for await (const said of stream) {
        events.push(...batchOf(said));
        yield said;
      }
    } finally {
      this.#write({
        type: 'model',
        ...print,
        ...(byAgent ? { byAgent } : {}),
        shared,
        messages: messages.slice(shared),
        events: joinBlockDeltas(events),
      });
    }
  }

  #observe(event: AgentEvent): void {
    if (event.type === 'tool-end') {
      const { call, status, result } = event;
      const { content, isError, display, exitCode } = result;
      const wouldAllow = this.#wouldAllow.get(call.id);
      this.#write({
        type: 'tool',
        id: call.id,
        name: call.name,
        input: call.input,
        status,
        output: { content, isError, ...givenFields({ display, exitCode }) },
        ...given('wouldAllow', wouldAllow),
      });
    }
  }

  /** Events of the main conversation only. */
  #observeRun(event: AgentEvent): void {
    if (event.type === 'compaction-start' && event.reason === 'manual')
      this.#write({ type: 'prompt', text: `/compact ${event.focus ?? ''}`.trim() });
    if (event.type === 'message-append' && event.message.role === 'user') {
      const { origin, content } = event.message;
      if (origin === 'reminder' && /^(?:@file:|<goal>)/.test(textOf(content)))
        this.#write({ type: 'attachments', content });
    }
    if (event.type !== 'run-end') return;
    const { status, error } = event.outcome;
    this.#write({ type: 'end', status, ...(error === undefined ? {} : { error }) });
  }

  #writeHook(point: HookPoint, result: object): void {
    const replayed = replayedPoints.find((each) => each === point);
    if (replayed) this.#write({ type: 'hook', point: replayed, result: structuredClone(result) });
  }

  #writeHeader(session: Conversation): void {
    const { cwd, home } = this.#options;
    const [first = session.model, ...others] = this.#models;
    this.#write({
      type: 'recording',
      version: cassetteVersion,
      created: new Date().toISOString(),
      cwd,
      home,
      models: [first, ...others],
      history: session.messages,
    });
  }

  #write(line: CassetteHeader | CassetteLine): void {
    const text = `${redactedJson(line, this.#options.redact)}\n`;
    this.#writing = this.#writing.then(() => this.#handle.appendFile(text));
    // Reported when the recording is closed.
    this.#writing.catch(() => {});
  }
}
