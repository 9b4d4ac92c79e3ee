import { errorMessage, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** Resumes the run that waited for a rate limit when its process ended, if there is one. */
export function resumeParked(session: InteractiveSession, tell: (problem: string) => void): void {
  if (session.branches.parked === undefined) return;
  session.submit([], { resumesParked: true }).catch((thrown: unknown) => tell(errorMessage(thrown)));
}
