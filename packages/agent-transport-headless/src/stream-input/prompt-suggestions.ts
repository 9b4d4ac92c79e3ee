import { type InteractiveSession, suggestPrompt } from '@robota-sdk/agent-sdk/front-end';
import { eventLine } from '../output/message-events.ts';
import type { Output } from '../output/output.ts';

/** Tells a program what the user may say next, unless something is said first. */
export class PromptSuggestions {
  /** The program shows no suggestions at the moment. */
  isPaused = false;
  #current: { readonly done: Promise<void>; readonly stop: () => void } | undefined;

  /** Resolves when no suggestion is being searched any more. */
  get done(): Promise<void> {
    return this.#current?.done ?? Promise.resolve();
  }

  begin(session: InteractiveSession, stdout: Output): void {
    if (this.isPaused) return;
    const controller = new AbortController();
    const { signal } = controller;
    const done = suggestPrompt(session, signal).then(
      async (suggestion) => {
        if (suggestion === undefined || signal.aborted) return;
        await stdout.write(eventLine(session, { type: 'prompt_suggestion', suggestion }));
      },
      () => {},
    );
    this.#current = { done, stop: () => controller.abort() };
  }

  stop(): void {
    this.#current?.stop();
  }
}
