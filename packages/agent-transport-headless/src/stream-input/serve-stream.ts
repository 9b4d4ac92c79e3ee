import {
  AgentError,
  errorMessage,
  type InteractiveSession,
  type JsonObject,
  type SubmitOptions,
  type UserContent,
} from '@robota-sdk/agent-sdk';
import { createHeadlessRunner } from '../headless-runner.ts';
import { eventLine, initLine, messageEvents } from '../message-events.ts';
import { type Output, redactedOutput, streamOutput } from '../output.ts';
import { streamEvents } from '../stream-events.ts';
import type { ChannelInterface } from './channel-interface.ts';
import { runControlRequest } from './control-requests.ts';
import { type InputMessage, parseInputMessage } from './input-message.ts';
import { longestLine, type NumberedLine, readLines } from './read-lines.ts';

export interface ServeStreamOptions {
  readonly session: InteractiveSession;
  /** Lines of JSON. */
  readonly input: AsyncIterable<string | Uint8Array>;
  /** The one the session asks; absent where what needs a yes is denied. */
  readonly channel?: ChannelInterface;
  /** Runs before the first line of the input. */
  readonly prompt?: string;
  readonly submit?: SubmitOptions;
  /** Print the pieces of an answer as they come. */
  readonly partial?: boolean;
  /** Print what the program said back when it is taken. */
  readonly replay?: boolean;
  readonly stdout?: Output;
  readonly stderr?: Output;
}

const tooLong = `a line may have at most ${longestLine / 1024 / 1024} million characters`;

type Prompt = Omit<Extract<InputMessage, { kind: 'prompt' }>, 'kind'>;

/** Serves one program for many prompts, until its input ends and the last prompt is answered. Resolves with an exit code. */
export async function serveStream(options: ServeStreamOptions): Promise<number> {
  return new StreamServer(options).serve();
}

class StreamServer {
  readonly #options: ServeStreamOptions;
  readonly #stdout: Output;
  /** Prompts that wait for the run that is going. */
  readonly #waiting: Prompt[] = [];
  #running: Promise<void> | undefined;
  #code = 0;

  constructor(options: ServeStreamOptions) {
    const { session, stdout = streamOutput(process.stdout), channel } = options;
    this.#options = options;
    this.#stdout = redactedOutput(stdout, (text) => session.redact(text));
    if (channel) {
      channel.send = (message) => void this.#write(message);
      channel.interrupt = () => void session.abort();
    }
  }

  async serve(): Promise<number> {
    const { session, input, channel, prompt, partial = false } = this.#options;
    const stops = [...streamEvents(session, this.#stdout, { partial }), messageEvents(session, this.#stdout)];
    const abort = () => void session.abort();
    this.#stdout.closed.addEventListener('abort', abort, { once: true });
    try {
      await this.#stdout.write(initLine(session));
      if (prompt !== undefined)
        this.#begin({ text: prompt, content: [], waits: false, message: { role: 'user', content: prompt } });
      for await (const line of readLines(input)) await this.#take(line);
      channel?.close();
      // Also finds out whether somebody still reads: a run that prints nothing would not notice.
      if (this.#running !== undefined) await this.#write({ type: 'system', subtype: 'input_end' });
      while (this.#running !== undefined) await this.#running;
      return this.#code;
    } finally {
      for (const stop of stops) stop();
      this.#stdout.closed.removeEventListener('abort', abort);
      await this.#stdout.flush();
    }
  }

  async #take({ text, number }: NumberedLine): Promise<void> {
    const message = text === undefined ? tooLong : parseInputMessage(text);
    if (typeof message === 'string') return this.#refuse(number, message);
    switch (message.kind) {
      case 'nothing':
        return;
      case 'prompt':
        if (this.#options.replay) await this.#giveBack(message);
        return this.#prompt(message);
      case 'answer':
        if (this.#options.channel?.settle(message.id, message.answer)) return;
        return this.#refuse(
          number,
          `nothing was asked with the id ${message.id}, or it was answered already`,
        );
      case 'request': {
        const answered = this.#answer(message.id, message.request, number);
        // An interrupt takes as long as the run needs to stop, and more may be said meanwhile. All else counts for what follows.
        return message.request.subtype === 'interrupt' ? undefined : answered;
      }
    }
  }

  /** A prompt joins the run that is going, unless it wants to wait for its end. A command is never part of another run. */
  #prompt(prompt: Prompt): void {
    if (!this.#running) return this.#begin(prompt);
    const { text, content, waits } = prompt;
    if (waits || text.trimStart().startsWith('/')) return void this.#waiting.push(prompt);
    const said = text === '' ? [] : [{ type: 'text', text } as const];
    this.#options.session.getSession().steer([...said, ...content]);
  }

  #begin(first: Prompt): void {
    this.#running = this.#runAll(first).finally(() => {
      this.#running = undefined;
    });
  }

  async #runAll(first: Prompt): Promise<void> {
    for (let next: Prompt | undefined = first; next; next = this.#waiting.shift()) {
      if (this.#stdout.closed.aborted) return;
      await this.#run(next);
    }
  }

  async #run({ text, content }: Prompt): Promise<void> {
    const { session, submit, stdout, stderr } = this.#options;
    const runner = createHeadlessRunner({
      session,
      outputFormat: 'json',
      ...(submit ? { submit } : {}),
      ...(stdout ? { stdout } : {}),
      ...(stderr ? { stderr } : {}),
    });
    this.#code = await runner.run(text, { from: 'pipe', content });
    // What was said to a run that ended before it could hear it is asked next.
    this.#waiting.unshift(...session.cancelQueue().map(promptOf));
  }

  async #answer(id: string | undefined, request: JsonObject, line: number): Promise<void> {
    try {
      const response = await runControlRequest(this.#options.session, request);
      if (id !== undefined) await this.#respond({ subtype: 'success', request_id: id, response });
    } catch (thrown) {
      const error = errorMessage(thrown);
      if (id === undefined) return this.#refuse(line, error);
      const code = AgentError.is(thrown) ? thrown.code : 'internal';
      await this.#respond({ subtype: 'error', request_id: id, error, error_code: code });
    }
  }

  async #respond(response: JsonObject): Promise<void> {
    await this.#stdout.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
  }

  async #giveBack({ message, uuid }: Prompt): Promise<void> {
    await this.#write({
      type: 'user',
      message,
      parent_tool_use_id: null,
      isReplay: true,
      ...(uuid ? { uuid } : {}),
    });
  }

  /** Says that a line could not be used; everything before and after it counts. */
  async #refuse(line: number, error: string): Promise<void> {
    await this.#write({ type: 'error', line, error });
  }

  async #write(event: JsonObject): Promise<void> {
    await this.#stdout.write(eventLine(this.#options.session, event));
  }
}

function promptOf(content: readonly UserContent[]): Prompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = content.filter(({ type }) => type === 'image');
  return { text, content: images, waits: true, message: { role: 'user', content: text } };
}
