import {
  applyInputHooks,
  type HookInput,
  type HookRegistry,
  noUsage,
  type RunOutcome,
  type UserContent,
  withReminder,
} from '@robota-sdk/agent-core';

/** The outcome of a prompt's hooks: it proceeds, perhaps changed, or ends before the model sees it. */
export type Admission =
  | { readonly kind: 'accepted'; readonly content?: readonly UserContent[] }
  | { readonly kind: 'refused'; readonly outcome: RunOutcome };

type StartSource = NonNullable<HookInput<'session-start'>['source']>;

/** Runs hooks at the start and the end of a session, and for each prompt. */
export class PromptHooks {
  readonly #hooks: HookRegistry;
  readonly #cwd: string;
  /** Why the start hooks have to run; undefined once they have begun. */
  #due: StartSource | undefined;
  /** The start hooks that run. */
  #starting: { readonly done: Promise<void>; readonly controller: AbortController } | undefined;
  /** The session has begun, so that the end hooks have something to end. */
  #isOpen = false;
  /** Output of the start hooks, until a prompt includes it. */
  #opening: string | undefined;

  constructor(hooks: HookRegistry, { cwd, source }: { readonly cwd: string; readonly source: StartSource }) {
    this.#hooks = hooks;
    this.#cwd = cwd;
    this.#due = source;
  }

  /** Runs the start hooks if they are due; all other hooks wait for them. */
  async begin(): Promise<void> {
    this.#isOpen = true;
    if (this.#due !== undefined && this.#hooks.has('session-start')) {
      const controller = new AbortController();
      this.#starting = { done: this.#start(this.#due, controller.signal), controller };
      this.#hooks.opening = this.#starting.done;
      this.#due = undefined;
    }
    await this.#starting?.done;
  }

  /** Runs the input hooks before every prompt, after the start hooks; a resumed run has none. */
  async admit(content: readonly UserContent[] | undefined, signal: AbortSignal): Promise<Admission> {
    try {
      await this.#beginUnless(signal);
      if (!content) return { kind: 'accepted' };
      const input = await applyInputHooks(this.#hooks, content, signal);
      if (input.kind === 'blocked') return { kind: 'refused', outcome: blockedOutcome(input.reason) };
      const opening = this.#opening;
      this.#opening = undefined;
      return { kind: 'accepted', content: withReminder(input.content, opening) };
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      return { kind: 'refused', outcome: { ...nothingDone, status: 'aborted' } };
    }
  }

  /** Ends the conversation, if it has begun; after a `clear` another one can begin. */
  async end(reason: string): Promise<void> {
    await this.#starting?.done;
    if (this.#isOpen && this.#hooks.has('session-end'))
      await this.#hooks.run('session-end', { reason }, new AbortController().signal);
    this.#isOpen = false;
    this.startAgain('clear');
  }

  /** The output of the start hooks left the conversation: the next prompt runs them again. */
  startAgain(source: StartSource): void {
    this.#due = source;
    this.#opening = undefined;
  }

  /** An interrupted start is due again with the next prompt. */
  async #beginUnless(signal: AbortSignal): Promise<void> {
    const started = this.begin();
    const stop = () => this.#starting?.controller.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await started.finally(() => signal.removeEventListener('abort', stop));
    signal.throwIfAborted();
  }

  async #start(source: StartSource, signal: AbortSignal): Promise<void> {
    // A hook may interrupt the session at once, which needs the controller in place.
    await undefined;
    try {
      const input = { cwd: this.#cwd, source };
      this.#opening = (await this.#hooks.run('session-start', input, signal)).context;
    } catch {
      // Hooks that fail report it themselves.
      this.#due ??= source;
    } finally {
      this.#hooks.opening = undefined;
    }
  }
}

/** The outcome of a rejected prompt, without the reason. */
export const nothingDone = { text: '', turns: 0, usage: noUsage, cost: 0, denials: [] } as const;

function blockedOutcome(reason: string): RunOutcome {
  const error = { code: 'blocked', message: `A hook stopped the prompt: ${reason}` } as const;
  return { ...nothingDone, status: 'failed', error };
}
