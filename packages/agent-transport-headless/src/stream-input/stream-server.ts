import {
  AgentError,
  errorMessage,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readInput,
  type SessionEvent,
  type UserContent,
} from '@robota-sdk/agent-sdk/front-end';
import { createHeadlessRunner } from '../output/headless-runner.ts';
import { eventLine } from '../output/message-events.ts';
import { resultOfRefusal } from '../output/result-object.ts';
import { liveTasks } from '../output/task-messages.ts';
import { attachSession, type ServedSession, type StreamServerOptions } from './attach-session.ts';
import { runControlRequest } from './control-requests.ts';
import { requiredText } from './control-subject.ts';
import { type InitializeOptions, readInitialize } from './initialize-request.ts';
import { type InputMessage, parseInputMessage } from './input-message.ts';
import { PromptLifecycle } from './prompt-lifecycle.ts';
import { PromptSuggestions } from './prompt-suggestions.ts';
import { longestLine, type NumberedLine, readLines } from './read-lines.ts';

const tooLong = `a line may have at most ${longestLine / 1024 / 1024} million characters`;

type Prompt = Omit<Extract<InputMessage, { kind: 'prompt' }>, 'kind'>;
type Request = Omit<Extract<InputMessage, { kind: 'request' }>, 'kind'> & { readonly line: number };

/** One program that is served; see `serveStream`. */
export class StreamServer {
  readonly #options: StreamServerOptions;
  /** Prompts that wait for the run that is going. */
  readonly #waiting: Prompt[] = [];
  /** The leaf before each prompt that has an id. */
  readonly #prompts = new Map<string, string | null>();
  #served: Promise<ServedSession> | undefined;
  /** The `initialize` that the session was opened with. */
  #introduction: string | undefined;
  #running: Promise<void> | undefined;
  #isRefused = false;
  /** The program has ended the session. */
  #isEnded = false;
  /** Requests of the program that are not answered yet. */
  readonly #underway = new Map<string, AbortController>();
  #code = 0;
  readonly #suggestions = new PromptSuggestions();
  readonly #lifecycle = new PromptLifecycle((event) => this.#write(event));

  constructor(options: StreamServerOptions) {
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
      await this.#suggestions.done;
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
  #open(wishes?: InitializeOptions): Promise<ServedSession> {
    this.#served ??= this.#serve(wishes);
    return this.#served;
  }

  async #serve(wishes: InitializeOptions | undefined): Promise<ServedSession> {
    const session = await this.#options.open(wishes);
    if (wishes?.title !== undefined) await session.branches.setName(wishes.title);
    return this.#attach(session, wishes);
  }

  #attach(session: InteractiveSession, wishes: InitializeOptions | undefined): Promise<ServedSession> {
    const follow = (event: SessionEvent) => this.#follow(event);
    return attachSession(session, { ...this.#options, wishes, prompts: this.#prompts, follow });
  }

  #follow(event: SessionEvent): Promise<void> | undefined {
    if (event.type === 'queue-change') return this.#lifecycle.taken(event.steering);
    if (event.type !== 'run-end') return undefined;
    return this.#lifecycle.end(event.outcome.status === 'aborted' ? 'cancelled' : 'completed');
  }

  async #take({ text, number }: NumberedLine): Promise<void> {
    const message = text === undefined ? tooLong : parseInputMessage(text);
    if (typeof message === 'string') return this.#refuseLine(number, message);
    switch (message.kind) {
      case 'nothing':
        return;
      case 'refused':
        return this.#refusePrompt(number, message.error);
      case 'cancel':
        return this.#underway.get(message.id)?.abort();
      case 'prompt':
        if (this.#options.replay) await this.#giveBack(message);
        return this.#prompt(message);
      case 'answer':
        if (this.#options.channel.settle(message.id, message.answer)) return;
        return this.#refuseLine(number, `no open request has the id ${message.id}`);
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
    const { text, content, waits, uuid, isComposed = false } = prompt;
    const { session } = await this.#open();
    const isCommand = !isComposed && readInput(session, text).kind === 'command';
    if (waits || isCommand) {
      this.#waiting.push(prompt);
      return this.#lifecycle.queue(uuid);
    }
    const said = text === '' ? [] : [{ type: 'text', text } as const];
    const told = this.#lifecycle.steer(uuid);
    session.steer([...said, ...content]);
    await told;
  }

  async #begin(first: Prompt): Promise<void> {
    const served = await this.#open();
    this.#suggestions.stop();
    this.#running = this.#runAll(first, served).finally(() => {
      this.#running = undefined;
    });
  }

  async #runAll(first: Prompt, served: ServedSession): Promise<void> {
    for (let next: Prompt | undefined = first; next; next = this.#waiting.shift()) {
      if (served.stdout.closed.aborted) return;
      await this.#run(next, served);
    }
    if (served.wishes?.suggestsPrompts && this.#code === 0 && !this.#isEnded)
      this.#suggestions.begin(served.session, served.stdout);
  }

  async #run(
    { text, content, uuid, isComposed }: Prompt,
    { session, submit, subject, wishes }: ServedSession,
  ): Promise<void> {
    const { stdout, stderr } = this.#options;
    const runner = createHeadlessRunner({
      session,
      outputFormat: 'json',
      failureKinds: true,
      sessionUsage: subject.usage,
      ...(submit ? { submit } : {}),
      ...(wishes ? { onCommandOutput: (content) => this.#write({ ...commandOutput, content }) } : {}),
      stdout,
      ...(stderr ? { stderr } : {}),
    });
    if (uuid !== undefined) this.#prompts.set(uuid, session.branches.leafId);
    await this.#lifecycle.start(uuid);
    const pasted = isComposed ? [{ start: 0, end: text.length }] : [];
    this.#code = await runner.run(text, { from: 'pipe', content, pasted });
    // A command may have had no run.
    await this.#lifecycle.end('completed');
    const ids = this.#lifecycle.takeUnread();
    // Messages that a run ended too early to read become the next prompt.
    const unread = session.cancelQueue().map(promptOf);
    this.#waiting.unshift(...unread.map((prompt, index) => ({ ...prompt, ...identified(ids[index]) })));
  }

  async #answer({ id, request, line }: Request): Promise<void> {
    const isAgain = request.subtype === 'initialize' && this.#served !== undefined;
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
      // A program that connects again does not know which tasks are left.
      if (isAgain) await this.#write(liveTasks(subject.session));
      if (this.#isEnded) await subject.session.abort();
    } catch (thrown) {
      const error = errorMessage(thrown);
      const code = AgentError.is(thrown) ? thrown.code : 'internal';
      if (id === undefined) await this.#refuseLine(line, error);
      else await this.#respond({ subtype: 'error', request_id: id, error, error_code: code });
      if (request.subtype === 'initialize' && !isAgain) await this.#refuseProgram(error);
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
        await this.#lifecycle.drop(idsOf(this.#waiting.splice(0)), 'discarded');
        return {};
      case 'set_prompt_suggestions_paused':
        this.#suggestions.isPaused = request.paused === true;
        return {};
      case 'set_cwd':
        return this.#move(request);
      default:
        return undefined;
    }
  }

  /** Stops the run. Prompts that wait for it are told: they run next, unless the program takes them back with it. */
  async #interrupt(takesBack: boolean): Promise<JsonObject> {
    const { session } = await this.#open();
    const waiting = idsOf(this.#waiting);
    if (!takesBack) {
      const stillQueued = [...this.#lifecycle.steering, ...waiting];
      await session.abort();
      return { still_queued: stillQueued };
    }
    this.#waiting.length = 0;
    session.cancelQueue();
    const cancelled = [...(await this.#lifecycle.dropSteering()), ...waiting];
    await this.#lifecycle.drop(waiting, 'cancelled');
    await session.abort();
    return { still_queued: [], cancelled };
  }

  /** Continues the session in another directory, if no prompt is running. Whatever comes meanwhile waits for it. */
  async #move({
    path,
    trust_accepted: isAccepted,
    trusted_directory: trusted,
  }: JsonObject): Promise<JsonObject> {
    const { move } = this.#options;
    if (!move) throw new AgentError('usage', 'This session cannot change its directory.');
    const wanted = requiredText('set_cwd', 'path', path);
    // Several moves may be asked for at once: each begins where the one before it ended.
    let opening = this.#open();
    let served = await opening;
    for (; opening !== this.#served; served = await opening) opening = this.#open();
    if (this.#running !== undefined)
      return { status: 'rejected', reason: 'busy', message: 'A prompt is running.' };
    const moving = move(served.session, {
      path: wanted,
      ...(isAccepted === true && typeof trusted === 'string' ? { trusted } : {}),
    });
    this.#served = moving.then(
      ({ session = served.session }) => {
        if (session === served.session) return served;
        served.stop();
        return this.#attach(session, served.wishes);
      },
      () => served,
    );
    await this.#served;
    return (await moving).answer;
  }

  /** Takes back a prompt that waits for the run that is going. */
  async #takeBack(uuid: JsonValue | undefined): Promise<JsonObject> {
    const at = this.#waiting.findIndex((prompt) => prompt.uuid !== undefined && prompt.uuid === uuid);
    const taken = at === -1 ? [] : this.#waiting.splice(at, 1);
    await this.#lifecycle.drop(idsOf(taken), 'cancelled');
    return { cancelled: at !== -1 };
  }

  /** The first `initialize` shapes the session; a later one can only ask for the same again. */
  async #introduce(request: JsonObject): Promise<void> {
    const { wishes, unused } = readInitialize(request);
    const { mcpServers, ...options } = wishes.options;
    const written = JSON.stringify({ ...wishes, options });
    if (!this.#served) {
      this.#introduction = written;
      if (this.#options.ui) this.#options.ui.asksByTool = true;
      this.#options.servers.announce(request.sdkMcpServerManifests);
      await this.#tellUnused(unused);
      await this.#open(wishes);
      return;
    }
    // A program that connects again also names the servers that it gave meanwhile.
    const { given = {} } = (await this.#open()).session.mcp;
    const hasServers = Object.keys(mcpServers ?? {}).every((name) => Object.hasOwn(given, name));
    const asksForMore = Object.keys(options).length > 0 || wishes.jsonSchema || wishes.title;
    if (hasServers && (written === this.#introduction || !asksForMore)) return;
    throw new AgentError(
      'usage',
      'The session is open already: initialize must come first and stay the same.',
    );
  }

  /** Names what only adds to the output or saves tokens, and what Robota has nothing like. */
  async #tellUnused(unused: readonly string[]): Promise<void> {
    const { stderr } = this.#options;
    if (unused.length === 0 || !stderr) return;
    await stderr.say(`robota: Not used in initialize: ${unused.join(', ')}.`);
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
    const replay = { type: 'user', message, parent_tool_use_id: null, isReplay: true };
    await this.#write({ ...replay, ...identified(uuid) });
  }

  /** A program waits for the result of its prompt, unless it joins a run that has one. */
  async #refusePrompt(line: number, error: string): Promise<void> {
    await this.#refuseLine(line, error);
    if (!this.#running) await this.#write({ ...resultOfRefusal(error) });
  }

  /** Says that a line could not be used; everything before and after it counts. */
  async #refuseLine(line: number, error: string): Promise<void> {
    await this.#write({ type: 'error', line, error });
  }

  async #write(event: Readonly<Record<string, unknown>>): Promise<void> {
    const { session, stdout } = await this.#open();
    await stdout.write(eventLine(session, event));
  }
}

const progress = { type: 'system', subtype: 'control_request_progress' };
const commandOutput = { type: 'system', subtype: 'local_command_output' };

/** An interrupt takes as long as the run needs to stop; servers may need answers of the program to be ready. */
const waitsForOthers: ReadonlySet<string> = new Set(
  (
    'interrupt set_cwd side_question mcp_call seed_read_state mcp_set_servers mcp_reconnect mcp_toggle ' +
    'mcp_read_resource reload_plugins reload_skills'
  ).split(' '),
);

function idsOf(prompts: readonly Prompt[]): readonly string[] {
  return prompts.flatMap(({ uuid }) => uuid ?? []);
}

function identified(uuid: string | undefined): Pick<Prompt, 'uuid'> {
  return uuid === undefined ? {} : { uuid };
}

function promptOf(content: readonly UserContent[]): Prompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const images = content.filter(({ type }) => type === 'image');
  return { text, content: images, waits: true, message: { role: 'user', content: text } };
}
