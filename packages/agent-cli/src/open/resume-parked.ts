import { errorMessage, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** Resumes the run and the agents that waited for a rate limit when their process ended. */
export function resumeParked(session: InteractiveSession, tell: (problem: string) => void): void {
  session.tasks.resumeWaiting().catch((thrown: unknown) => tell(errorMessage(thrown)));
  if (session.branches.parked === undefined) return;
  session.submit([], { resumesParked: true }).catch((thrown: unknown) => tell(errorMessage(thrown)));
}
