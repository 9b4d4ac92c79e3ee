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
  #source: StartSource;
  #hasStarted = false;
  /** Output of the start hooks, until a prompt includes it. */
  #opening: string | undefined;

  constructor(hooks: HookRegistry, { cwd, source }: { readonly cwd: string; readonly source: StartSource }) {
    this.#hooks = hooks;
    this.#cwd = cwd;
    this.#source = source;
  }

  /** Runs the start hooks before the first prompt, and the input hooks before every one; a resumed run has none. */
  async admit(content: readonly UserContent[] | undefined, signal: AbortSignal): Promise<Admission> {
    try {
      await this.#start(signal);
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

  /** Ends the conversation; after a `clear` the next prompt starts another one. */
  async end(reason: string): Promise<void> {
    if (this.#hooks.has('session-end'))
      await this.#hooks.run('session-end', { reason }, new AbortController().signal);
    this.startAgain('clear');
  }

  /** The output of the start hooks left the conversation: the next prompt runs them again. */
  startAgain(source: StartSource): void {
    this.#source = source;
    this.#hasStarted = false;
    this.#opening = undefined;
  }

  async #start(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) return;
    if (this.#hooks.has('session-start')) {
      const input = { cwd: this.#cwd, source: this.#source };
      this.#opening = (await this.#hooks.run('session-start', input, signal)).context;
    }
    this.#hasStarted = true;
  }
}

/** The outcome of a rejected prompt, without the reason. */
export const nothingDone = { text: '', turns: 0, usage: noUsage, cost: 0, denials: [] } as const;

function blockedOutcome(reason: string): RunOutcome {
  const error = { code: 'blocked', message: `A hook stopped the prompt: ${reason}` } as const;
  return { ...nothingDone, status: 'failed', error };
}
