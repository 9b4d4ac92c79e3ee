import { errorMessage, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

export interface ParkedOptions {
  /** Shows that something could not be resumed. */
  tell(problem: string): void;
  /** The run stays parked: a prompt continues the conversation instead. */
  readonly hasPrompt?: boolean;
}

/** Resumes the agents and the run that waited for a rate limit when their process ended. */
export function resumeParked(session: InteractiveSession, { tell, hasPrompt = false }: ParkedOptions): void {
  session.tasks.resumeWaiting().catch((thrown: unknown) => tell(errorMessage(thrown)));
  if (hasPrompt || session.branches.parked === undefined) return;
  session.submit([], { resumesParked: true }).catch((thrown: unknown) => tell(errorMessage(thrown)));
}
