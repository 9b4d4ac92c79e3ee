import {
  type Command,
  errorMessage,
  type InputResult,
  type InteractiveSession,
  type ParsedInput,
  readInput,
  type SessionEvent,
  type SessionTarget,
} from '@robota-sdk/agent-sdk/front-end';
import type { SubmittedText } from '@robota-sdk/agent-tui';
import { Asides } from './asides.ts';
import { backgroundKeyOf, interruptKeyOf } from './bars/interrupt-key.ts';
import { InterruptibleWork } from './interruptible-work.ts';
import { LiveShell } from './live/live-shell.ts';
import type { Stage } from './stage/stage.ts';

/** A text entered by the user. */
export interface EnteredText extends SubmittedText {
  readonly text: string;
}

/** Asks for another session, and perhaps for a text to edit in it. */
export interface SessionRequest {
  readonly to: SessionTarget;
  /** The command's message, shown when the session is open. */
  readonly notice?: string;
  readonly edit?: string;
}

export interface EnteredTextsOptions {
  readonly stage: Stage;
  /** Shows a command of the user while it runs. */
  showShell(shell: LiveShell | undefined): void;
  switchTo(request: SessionRequest): Promise<void>;
  /** Prints the conversation of the session, after it went to another branch. */
  replay(session: InteractiveSession): Promise<void>;
  /** Names the replacement of a command that this program does not have. */
  adviseOn(unknownCommand: string): Promise<string | undefined>;
  exit(): void;
  /** A text was carried out. */
  onDone?(text: string): void;
}

/** Takes what is entered: one after the other, and what a run must not be disturbed with when it is over. */
export class EnteredTexts {
  readonly #options: EnteredTextsOptions;
  readonly #work = new InterruptibleWork();
  readonly #asides: Asides;
  #waiting: EnteredText[] = [];
  /** A prompt or a command that is at work; a command may lead to another session, so prompts wait for its end. */
  #preparing: EnteredText | undefined;

  constructor(options: EnteredTextsOptions) {
    this.#options = options;
    this.#asides = new Asides(options.stage);
  }

  /** Input that waits for a session or the end of the run. */
  get waiting(): readonly string[] {
    return this.#waiting.map(({ shown }) => shown);
  }

  enter(entered: EnteredText): void {
    if (isEnd(entered.text)) return this.#options.exit();
    if (this.#mustWait(entered)) {
      this.#waiting.push(entered);
      this.#hold();
    } else void this.#run(entered);
    this.#options.stage.refresh();
  }

  /** Processes queued input as far as possible. */
  goOn(): void {
    this.#hold();
    const [next] = this.#waiting;
    if (next === undefined || this.#mustWait(next)) return;
    this.#waiting.shift();
    this.enter(next);
  }

  /** Gives back what waits. */
  takeBack(): readonly EnteredText[] {
    const waiting = this.#waiting.splice(0);
    this.#hold();
    return waiting;
  }

  /** Breaks off a command that runs; tells whether there was one. */
  interrupt(): boolean {
    return this.#work.abort();
  }

  /** Once the prompt that was entered is a message, what comes next need not wait for it. */
  take(event: SessionEvent): void {
    if (event.type !== 'message-append' || event.message.role !== 'user') return;
    if (event.message.origin === 'reminder') return;
    this.#preparing = undefined;
    this.#hold();
  }

  /** Stores what waits with the session, so that a crash does not lose it. */
  #hold(): void {
    this.#options.stage.session?.unsent.hold(this.#waiting.map(({ text }) => text));
  }

  #mustWait(entered: EnteredText): boolean {
    const { session } = this.#options.stage;
    if (!session) return true;
    const input = inputOf(session, entered);
    if (this.#preparing) return !isCommand(inputOf(session, this.#preparing)) || !isInstant(input);
    return session.isExecuting() && isCommand(input) && !isInstant(input);
  }

  async #run(entered: EnteredText): Promise<void> {
    const { stage } = this.#options;
    const { session } = stage;
    if (!session) return;
    const input = inputOf(session, entered);
    const isAlone = input.kind !== 'shell' && !isInstant(input);
    if (isAlone && !session.isExecuting()) this.#preparing = entered;
    try {
      if (input.kind === 'command' && (await this.#openScreen(input))) return;
      await this.#dispatch(session, entered, input);
    } catch (thrown) {
      stage.print({ kind: 'notice', level: 'error', text: errorMessage(thrown) });
    } finally {
      if (this.#preparing === entered) this.#preparing = undefined;
      this.goOn();
      this.#options.onDone?.(entered.text);
      stage.refresh();
    }
  }

  /** Opens the screen of a command, if it has one for its arguments. */
  async #openScreen(input: CommandInput): Promise<boolean> {
    const { openScreenFor } = await import('./screens/screen-commands.ts');
    return openScreenFor(input, this.#options.stage);
  }

  async #dispatch(session: InteractiveSession, entered: EnteredText, input: EnteredInput): Promise<void> {
    const { text, pasted, shown } = entered;
    const isAside = input.kind === 'command' && input.name === 'btw';
    const shell = input.kind === 'shell' ? this.#shellFor(input.command) : undefined;
    const isTree = input.kind === 'command' && input.name === 'tree';
    const leaf = session.branches.leafId;
    const work = this.#work.run(async (signal) => {
      const { dispatchInput } = await import('@robota-sdk/agent-sdk/front-end');
      const onShellOutput = (printed: string) => this.#showOutput(shell, printed);
      const about = shown === text ? {} : { shown };
      return dispatchInput(session, text, { pasted, signal, onShellOutput, ...about });
    });
    const result = await (isAside ? this.#asides.during(work) : work);
    if (shell) return this.#endShell(result);
    if (isTree && session.branches.leafId !== leaf) await this.#options.replay(session);
    await this.#answer(text, result, input);
  }

  #shellFor(command: string): LiveShell | undefined {
    if (command === '') return undefined;
    const { look, keys } = this.#options.stage;
    const shell = new LiveShell(command, {
      look,
      interruptKey: interruptKeyOf(keys),
      backgroundKey: backgroundKeyOf(keys),
    });
    this.#options.showShell(shell);
    return shell;
  }

  #showOutput(shell: LiveShell | undefined, printed: string): void {
    shell?.push(printed);
    this.#options.stage.refresh();
  }

  /** The session tells of a command that ended; what came to nothing before has only a message. */
  #endShell({ message, success, data }: InputResult): void {
    const { stage, showShell } = this.#options;
    showShell(undefined);
    if (data === undefined && !success) stage.print({ kind: 'notice', level: 'error', text: message });
  }

  async #answer(text: string, result: InputResult, input: EnteredInput): Promise<void> {
    const { stage } = this.#options;
    // An answer was shown as it came, and so was why there is none.
    const isShown = result.kind === 'prompt' || result.execution !== undefined;
    const isUnknown = result.kind === 'unknown-command' && input.kind === 'command';
    const message = (isUnknown ? await this.#options.adviseOn(input.name) : undefined) ?? result.message;
    const { switchTo, edit } = result;
    if (!isShown && message !== '' && switchTo === undefined) {
      const level = result.success ? 'info' : 'error';
      // The message about an unknown command names it.
      const entered = isUnknown ? '' : `${text.trim().split('\n', 1)[0]}\n`;
      const form = result.isMarkdown ? { isMarkdown: true } : {};
      stage.print({ kind: 'notice', level, text: entered + message, ...form });
    }
    if (result.exit) return this.#options.exit();
    if (switchTo !== undefined)
      return this.#options.switchTo({
        to: switchTo,
        notice: message,
        ...(edit === undefined ? {} : { edit }),
      });
    if (edit !== undefined) stage.edit(edit);
  }
}

type EnteredInput = ParsedInput<Command<InteractiveSession>>;
type CommandInput = Extract<EnteredInput, { kind: 'command' }>;

function inputOf(session: InteractiveSession, { text, pasted }: EnteredText): EnteredInput {
  return readInput(session, text, pasted);
}

/** True if an input is for the program or the shell, not for the model. */
function isCommand({ kind }: EnteredInput): boolean {
  return kind === 'command' || kind === 'shell';
}

/** True if an input is a command that need not wait for the end of a run. */
function isInstant(input: EnteredInput): boolean {
  return input.kind === 'command' && input.command?.during === 'run';
}

/** Exit words of other programs count only as the whole prompt. */
function isEnd(text: string): boolean {
  return /^\s*(?:exit|quit)\s*$/.test(text);
}
