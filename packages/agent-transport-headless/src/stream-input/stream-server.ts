import {
  AgentError,
  errorMessage,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readInput,
  type SubmitOptions,
  suggestPrompt,
  type UserContent,
} from '@robota-sdk/agent-sdk/front-end';
import { createHeadlessRunner } from '../output/headless-runner.ts';
import { eventLine, initLine, messageEvents } from '../output/message-events.ts';
import { type Output, redactedOutput } from '../output/output.ts';
import { streamEvents } from '../output/stream-events.ts';
import { taskMessages } from '../output/task-messages.ts';
import { runControlRequest } from './control-requests.ts';
import type { ControlSubject } from './control-subject.ts';
import { type InitializeOptions, readInitialize } from './initialize-request.ts';
import { type InputMessage, parseInputMessage } from './input-message.ts';
import { longestLine, type NumberedLine, readLines } from './read-lines.ts';
import type { ServeStreamOptions } from './serve-stream.ts';

type ServerOptions = ServeStreamOptions & Required<Pick<ServeStreamOptions, 'stdout' | 'servers'>>;

const tooLong = `a line may have at most ${longestLine / 1024 / 1024} million characters`;

type Prompt = Omit<Extract<InputMessage, { kind: 'prompt' }>, 'kind'>;
type Request = Omit<Extract<InputMessage, { kind: 'request' }>, 'kind'> & { readonly line: number };

/** A session that is served. */
interface Served {
  readonly session: InteractiveSession;
  readonly subject: ControlSubject;
  readonly stdout: Output;
  readonly submit: SubmitOptions | undefined;
  readonly suggestsPrompts: boolean;
  stop(): void;
}

/** One program that is served; see `serveStream`. */
export class StreamServer {
  readonly #options: ServerOptions;
  /** Prompts that wait for the run that is going. */
  readonly #waiting: Prompt[] = [];
  /** The leaf before each prompt that has an id. */
  readonly #prompts = new Map<string, string | null>();
  #served: Promise<Served> | undefined;
  /** The `initialize` that the session was opened with. */
  #introduction: string | undefined;
  #running: Promise<void> | undefined;
  #isRefused = false;
  /** The program has ended the session. */
  #isEnded = false;
  /** Requests of the program that are not answered yet. */
  readonly #underway = new Map<string, AbortController>();
  #code = 0;
  /** The search for what the user may say next. */
  #suggestion: { readonly done: Promise<void>; readonly stop: () => void } | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async serve(): Promise<number> {
    const { input, channel, prompt } = this.#options;
    try {
      if (prompt !== undefined)
        await this.#begin({
          text: prompt,
          content: [],
          waits: false,
          message: { role: 'user', content: prompt },
        });
      for await (const line of readLines(input)) {
        await this.#take(line);
        if (this.#isRefused || this.#isEnded) break;
      }
      channel.close();
      if (this.#isRefused) return await this.#giveUp();
      if (this.#isEnded) return 0;
      await this.#open();
      // Also detects a closed output: a silent run would not notice it.
      if (this.#running !== undefined) await this.#write({ type: 'system', subtype: 'input_end' });
      while (this.#running !== undefined) await this.#running;
      await this.#suggestion?.done;
      return this.#code;
    } finally {
      channel.close();
      (await this.#served?.catch(() => undefined))?.stop();
      await this.#options.stdout.flush();
    }
  }

  async #giveUp(): Promise<number> {
    await (await this.#served)?.session.abort();
    while (this.#running !== undefined) await this.#running;
    return 2;
  }

  /** The session; opened by whatever needs it first. */
  #open(wishes?: InitializeOptions): Promise<Served> {
    this.#served ??= this.#serve(wishes);
    return this.#served;
  }

  async #serve(wishes: InitializeOptions | undefined): Promise<Served> {
    const { open, channel, ui, servers, mayBypass = false, version = '', partial = false } = this.#options;
    const session = await open(wishes);
    const own = session;
    if (wishes?.title !== undefined) await own.branches.setName(wishes.title);
    const stdout = redactedOutput(this.#options.stdout, (text) => session.redact(text));
    channel.open((message) => void stdout.write(eventLine(session, message)));
    const abort = () => void session.abort();
    if (ui) ui.interrupt = abort;
    stdout.closed.addEventListener('abort', abort, { once: true });
    const { forwardsAgents, summarizesAgents, suggestsPrompts = false } = wishes ?? {};
    this.#options.hookMessages?.connect((line) => void stdout.write(eventLine(session, line)));
    const stops = [
      streamEvents(session, stdout, { partial }),
      messageEvents(session, stdout, { withAgents: forwardsAgents }),
      taskMessages(session, stdout, { withSummaries: summarizesAgents }),
    ];
    const first = { model: `${own.model.vendor}/${own.model.id}`, thinking: own.thinking };
    const subject = { session, servers, ui, mayBypass, version, first, prompts: this.#prompts };
    const { jsonSchema } = wishes ?? {};
    const stop = () => {
      for (const each of stops) each();
      stdout.closed.removeEventListener('abort', abort);
    };
    await stdout.write(initLine(session, { version, isQuiet: ui?.isQuiet }));
    await session.tasks.resumeWaiting();
    const submit = jsonSchema ? { ...this.#options.submit, jsonSchema } : this.#options.submit;
    return { session, subject, stdout, submit, stop, suggestsPrompts };
  }

  async #take({ text, number }: NumberedLine): Promise<void> {
    const message = text === undefined ? tooLong : parseInputMessage(text);
    if (typeof message === 'string') return this.#refuseLine(number, message);
    switch (message.kind) {
      case 'nothing':
        return;
      case 'cancel':
        return this.#underway.get(message.id)?.abort();
      case 'prompt':
        if (this.#options.replay) await this.#giveBack(message);
        return this.#prompt(message);
      case 'answer':
        if (this.#options.channel.settle(message.id, message.answer)) return;
        return this.#refuseLine(
          number,
          `nothing was asked with the id ${message.id}, or it was answered already`,
        );
      case 'request': {
        const answered = this.#answer({ ...message, line: number });
        // These wait for a run or for answers of the program, and more may be said meanwhile. All else counts for what follows.
        return waitsForOthers.has(String(message.request.subtype)) ? undefined : answered;
      }
    }
  }

  /** A prompt joins the run that is going, unless it wants to wait for its end. A command is never part of another run. */
  async #prompt(prompt: Prompt): Promise<void> {
    if (!this.#running) return this.#begin(prompt);
    const { text, content, waits, isComposed = false } = prompt;
    const { session } = await this.#open();
    const isCommand = !isComposed && readInput(session, text).kind === 'command';
    if (waits || isCommand) return void this.#waiting.push(prompt);
    const said = text === '' ? [] : [{ type: 'text', text } as const];
    session.steer([...said, ...content]);
  }

  async #begin(first: Prompt): Promise<void> {
    const served = await this.#open();
    this.#suggestion?.stop();
    this.#running = this.#runAll(first, served).finally(() => {
      this.#running = undefined;
    });
  }

  async #runAll(first: Prompt, served: Served): Promise<void> {
    for (let next: Prompt | undefined = first; next; next = this.#waiting.shift()) {
      if (served.stdout.closed.aborted) return;
      await this.#run(next, served);
    }
    if (served.suggestsPrompts && this.#code === 0 && !this.#isEnded) this.#suggest(served);
  }

  /** Tells what the user may say next, unless something is said first. */
  #suggest({ session, stdout }: Served): void {
    const controller = new AbortController();
    const { signal } = controller;
    const done = suggestPrompt(session, signal).then(
      async (suggestion) => {
        if (suggestion === undefined || signal.aborted) return;
        await stdout.write(eventLine(session, { type: 'prompt_suggestion', suggestion }));
      },
      () => {},
    );
    this.#suggestion = { done, stop: () => controller.abort() };
  }

  async #run({ text, content, uuid, isComposed }: Prompt, { session, submit }: Served): Promise<void> {
    const { stdout, stderr } = this.#options;
    const runner = createHeadlessRunner({
      session,
      outputFormat: 'json',
      failureKinds: true,
      ...(submit ? { submit } : {}),
      stdout,
      ...(stderr ? { stderr } : {}),
    });
    if (uuid !== undefined) this.#prompts.set(uuid, session.branches.leafId);
    const pasted = isComposed ? [{ start: 0, end: text.length }] : [];
    this.#code = await runner.run(text, { from: 'pipe', content, pasted });
    // Messages that a run ended too early to read become the next prompt.
    this.#waiting.unshift(...session.cancelQueue().map(promptOf));
  }

  async #answer({ id, request, line }: Request): Promise<void> {
    try {
      if (request.subtype === 'initialize') await this.#introduce(request);
      const { subject } = await this.#open();
      if (request.subtype === 'side_question' && id !== undefined)
        await this.#write({ ...progress, request_id: id, status: 'started' });
      const response =
        (await this.#answerItself(request)) ??
        (await runControlRequest(subject, request, this.#signalOf(id)));
      const open = request.subtype === 'initialize' ? this.#openQuestions() : {};
      if (id !== undefined) await this.#respond({ subtype: 'success', request_id: id, response, ...open });
      if (this.#isEnded) await subject.session.abort();
    } catch (thrown) {
      const error = errorMessage(thrown);
      const code = AgentError.is(thrown) ? thrown.code : 'internal';
      if (id === undefined) await this.#refuseLine(line, error);
      else await this.#respond({ subtype: 'error', request_id: id, error, error_code: code });
      if (request.subtype === 'initialize') await this.#refuseProgram(error);
    } finally {
      if (id !== undefined) this.#underway.delete(id);
    }
  }

  /** Ends a request of the program when it takes it back. */
  #signalOf(id: string | undefined): AbortSignal {
    const controller = new AbortController();
    if (id !== undefined) this.#underway.set(id, controller);
    return controller.signal;
  }

  /** Questions that the program has not answered; one that connects again has to ask them again. */
  #openQuestions(): JsonObject {
    const { unanswered } = this.#options.channel;
    const isPermission = ({ request }: JsonObject) =>
      isJsonObject(request) && request.subtype === 'can_use_tool';
    return { pending_permission_requests: unanswered.filter(isPermission), pending_user_dialog_requests: [] };
  }

  /** Answers what concerns the prompts that wait, and the end. */
  async #answerItself(request: JsonObject): Promise<JsonObject | undefined> {
    switch (request.subtype) {
      case 'cancel_async_message':
        return this.#takeBack(request.message_uuid);
      case 'interrupt':
        return this.#interrupt(request.cancel_queued === true);
      case 'end_session':
        this.#isEnded = true;
        return {};
      default:
        return undefined;
    }
  }

  /** Stops the run. Prompts that wait for it are told: they run next, unless the program takes them back with it. */
  async #interrupt(takesBack: boolean): Promise<JsonObject> {
    const { session } = await this.#open();
    const queued = this.#waiting.flatMap(({ uuid }) => uuid ?? []);
    if (takesBack) {
      this.#waiting.length = 0;
      session.cancelQueue();
    }
    await session.abort();
    return takesBack ? { still_queued: [], cancelled: queued } : { still_queued: queued };
  }

  /** Takes back a prompt that waits for the run that is going. */
  #takeBack(uuid: JsonValue | undefined): JsonObject {
    const at = this.#waiting.findIndex((prompt) => prompt.uuid !== undefined && prompt.uuid === uuid);
    if (at !== -1) this.#waiting.splice(at, 1);
    return { cancelled: at !== -1 };
  }

  /** The first `initialize` shapes the session; a later one can only ask for the same again. */
  async #introduce(request: JsonObject): Promise<void> {
    const { wishes, unused } = readInitialize(request);
    const written = JSON.stringify(wishes);
    if (!this.#served) {
      this.#introduction = written;
      this.#options.servers.announce(request.sdkMcpServerManifests);
      await this.#tellUnused(unused);
      await this.#open(wishes);
      return;
    }
    const asksForMore = Object.keys(wishes.options).length > 0 || wishes.jsonSchema || wishes.title;
    if (written === this.#introduction || !asksForMore) return;
    throw new AgentError(
      'usage',
      'The session is open already: initialize must come first and stay the same.',
    );
  }

  /** Names what only adds to the output or saves tokens, and what Robota has nothing like. */
  async #tellUnused(unused: readonly string[]): Promise<void> {
    const { stderr } = this.#options;
    if (unused.length === 0 || !stderr) return;
    await stderr.write(stderr.clean(`robota: Not used in initialize: ${unused.join(', ')}.\n`));
  }

  /** The program's options may be a safeguard, so nothing runs without them. */
  async #refuseProgram(error: string): Promise<void> {
    this.#isRefused = true;
    const { stderr } = this.#options;
    await stderr?.write(stderr.clean(`robota: initialize was refused, so no prompt is answered. ${error}\n`));
    // If the session itself cannot be opened, that is the failure.
    await this.#served;
  }

  async #respond(response: JsonObject): Promise<void> {
    await this.#options.stdout.write(`${JSON.stringify({ type: 'control_response', response })}\n`);
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
  async #refuseLine(line: number, error: string): Promise<void> {
    await this.#write({ type: 'error', line, error });
  }

  async #write(event: JsonObject): Promise<void> {
    const { session, stdout } = await this.#open();
    await stdout.write(eventLine(session, event));
  }
}

const progress = { type: 'system', subtype: 'control_request_progress' };

/** An interrupt takes as long as the run needs to stop; servers may need answers of the program to be ready. */
const waitsForOthers: ReadonlySet<string> = new Set([
  'interrupt',
  'side_question',
  'mcp_call',
  'seed_read_state',
  'mcp_set_servers',
  'mcp_reconnect',
  'mcp_toggle',
  'mcp_read_resource',
  'reload_plugins',
  'reload_skills',
]);

function promptOf(content: readonly UserContent[]): Prompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = content.filter(({ type }) => type === 'image');
  return { text, content: images, waits: true, message: { role: 'user', content: text } };
}
