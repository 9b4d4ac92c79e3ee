import {
  type AvailableCommand,
  type ContentBlock,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type StopReason,
} from '@agentclientprotocol/sdk';
import {
  dispatchInput,
  type IExecutionResult,
  type InputResult,
  type InteractiveSession,
  sessionLabel,
} from '@robota-sdk/agent-sdk/front-end';
import type { ClientEditor } from './client-editor.ts';
import type { EditorInterface } from './editor-interface.ts';
import { readPrompt } from './prompt-content.ts';
import type { SessionChannel } from './session-channel.ts';
import { configOptionsOf, modesOf } from './session-settings.ts';
import { SessionUpdates } from './session-updates.ts';

export interface AcpSessionOptions {
  readonly session: InteractiveSession;
  readonly channel: SessionChannel;
  readonly ui: EditorInterface;
  readonly editor: ClientEditor;
  /** Vendors whose models can be chosen. */
  readonly vendors: ReadonlySet<string>;
}

/** One session of an editor. */
export class AcpSession {
  readonly session: InteractiveSession;
  readonly channel: SessionChannel;
  readonly #updates: SessionUpdates;
  readonly #vendors: ReadonlySet<string>;
  #prompt: AbortController | undefined;
  #title: string | undefined;
  /** The last choices sent, and the mode among them. */
  #told: string;
  #mode: string;

  constructor({ session, channel, ui, editor, vendors }: AcpSessionOptions) {
    this.session = session;
    this.channel = channel;
    this.#vendors = vendors;
    this.#updates = new SessionUpdates(channel, session);
    ui.attach({ channel, updates: this.#updates, cwd: session.place.cwd });
    editor.attach({ channel, updates: this.#updates, cancellation: () => this.#prompt?.signal });
    session.subscribe((event) => this.#updates.handle(event));
    // An approved plan, or an answer for all edits, changes the mode.
    session.subscribe((event) => {
      if (event.type !== 'tool-end' || modesOf(session).currentModeId === this.#mode) return;
      return this.#tellChoices();
    });
    this.#mode = modesOf(session).currentModeId;
    this.#told = JSON.stringify(this.configOptions);
  }

  get configOptions(): SessionConfigOption[] {
    return configOptionsOf(this.session, this.#vendors);
  }

  /** The choices for the editor, as in the answers to new, load and resume. */
  get choices() {
    return { modes: modesOf(this.session), configOptions: this.configOptions };
  }

  /** Tells what the editor could not know before: the commands, the state of the window, what is wrong. */
  async introduce(): Promise<void> {
    await this.channel.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: this.session.listCommands().map(availableCommand),
    });
    await this.#updates.usage();
    for (const problem of this.session.problems) await this.#updates.problem(problem);
  }

  /** Does what a prompt asks for, and says how it ended. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (this.#prompt || this.session.isExecuting())
      throw RequestError.invalidRequest(
        undefined,
        'a prompt of this session is still running; cancel it first',
      );
    const controller = new AbortController();
    this.#prompt = controller;
    try {
      return await this.#run(blocks, controller.signal);
    } finally {
      this.#prompt = undefined;
      await this.#tellChanges();
    }
  }

  /** Cancels the current activity; the prompt answers "cancelled". */
  async cancel(): Promise<void> {
    this.#prompt?.abort();
    await this.session.abort();
  }

  async close(): Promise<void> {
    await this.cancel();
    await this.session.shutdown();
  }

  async #run(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const { text, content, attachments, problems } = readPrompt(blocks, this.session.place.cwd);
    for (const problem of problems) await this.#updates.notice({ level: 'warning', text: problem });
    if (text.trim() === '' && content.length === 0)
      throw RequestError.invalidParams(undefined, ['the prompt is empty', ...problems].join('; '));
    const result = await dispatchInput(this.session, text, {
      signal,
      content,
      ...(attachments.length > 0 ? { attachments } : {}),
    });
    if (!result.execution) return this.#answerCommand(result, signal);
    return { stopReason: await this.#stopReasonOf(result.execution) };
  }

  /** Output of a command is sent as agent text, the only channel for it. */
  async #answerCommand(result: InputResult, signal: AbortSignal): Promise<PromptResponse> {
    const { message, switchTo, edit, kind, exit = false } = result;
    const shown = kind === 'shell' && message !== '' ? `\`\`\`console\n${message}\n\`\`\`` : message;
    const elsewhere =
      switchTo === undefined || switchTo === 'new'
        ? (exit || switchTo) && 'Start and end sessions in your editor.'
        : `Open it from the list of sessions of your editor: ${switchTo.open}`;
    const text = [shown, edit, elsewhere].filter(Boolean).join('\n\n');
    if (text !== '') await this.#updates.say(text);
    return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
  }

  async #stopReasonOf({ status, error, stopReason }: IExecutionResult): Promise<StopReason> {
    if (status === 'aborted') return 'cancelled';
    if (status === 'limit') {
      if (error) await this.#updates.say(`\n\n${error.message}`);
      return 'max_turn_requests';
    }
    if (stopReason === 'refusal' || error?.code === 'refusal') return 'refusal';
    if (error) throw requestErrorOf(error);
    return stopReason === 'length' ? 'max_tokens' : 'end_turn';
  }

  /** A prompt may have changed what the editor shows of the session. */
  async #tellChanges(): Promise<void> {
    await this.#tellChoices();
    const title = titleOf(this.session);
    if (title === undefined || title === this.#title) return;
    this.#title = title;
    await this.channel.update({
      sessionUpdate: 'session_info_update',
      title,
      updatedAt: new Date().toISOString(),
    });
  }

  async #tellChoices(): Promise<void> {
    const before = this.#told;
    this.noteChoices();
    if (this.#told === before) return;
    const { configOptions } = this;
    await this.channel.update({ sessionUpdate: 'config_option_update', configOptions });
    await this.channel.update({ sessionUpdate: 'current_mode_update', currentModeId: this.#mode });
  }

  /** The editor itself changed something, so it need not be told. */
  noteChoices(): void {
    this.#told = JSON.stringify(this.configOptions);
    this.#mode = modesOf(this.session).currentModeId;
  }
}

/** An error of a run or of opening a session, as the protocol tells it. */
export function requestErrorOf({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): RequestError {
  if (code === 'auth' || code === 'no-provider') return new RequestError(-32000, message, { code });
  return new RequestError(-32603, message, { code });
}

function availableCommand(command: {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
}): AvailableCommand {
  const { name, description, argumentHint } = command;
  return { name, description, ...(argumentHint === undefined ? {} : { input: { hint: argumentHint } }) };
}

function titleOf(session: InteractiveSession): string | undefined {
  const { branches } = session;
  const tree = branches.tree();
  const [first] = tree.promptNumbers().keys();
  const firstPrompt = first === undefined ? undefined : tree.promptOf(first);
  const { name, copyOf } = branches;
  if (name === undefined && firstPrompt === undefined) return undefined;
  return sessionLabel({ name, firstPrompt, copyOf });
}
