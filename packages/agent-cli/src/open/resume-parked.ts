import { errorMessage, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

export interface ParkedOptions {
  /** Shows that something could not be resumed. */
  tell(problem: string): void;
  /** Puts a text into the editor. */
  giveBack(text: string): void;
  /** The run stays parked: a prompt continues the conversation instead. */
  readonly hasPrompt?: boolean;
}

/**
 * Resumes the agents and the run that waited for a rate limit when their process ended. Messages that were queued then are
 * queued again if the run resumes; otherwise they return to the editor.
 */
export function resumeParked(
  session: InteractiveSession,
  { tell, giveBack, hasPrompt = false }: ParkedOptions,
): void {
  session.tasks.resumeWaiting().catch((thrown: unknown) => tell(errorMessage(thrown)));
  const resumes = !hasPrompt && session.branches.parked !== undefined;
  const unsent = session.unsent.restore({ toQueue: resumes });
  if (unsent.length > 0) giveBack(unsent.join('\n'));
  if (resumes)
    session.submit([], { resumesParked: true }).catch((thrown: unknown) => tell(errorMessage(thrown)));
}
