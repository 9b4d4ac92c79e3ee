import type { AssistantMessage } from './message.ts';

/** Why an answer ended early: the user interrupted it, it was cut off, or an error. */
export interface AnswerCut {
  readonly reason: 'aborted' | 'length' | 'error';
  readonly text: string;
}

/** Why an answer ended early, as its message tells it, also in imported sessions; undefined if it is whole. */
export function cutOf({
  stopReason,
  error,
  note,
}: Pick<AssistantMessage, 'stopReason' | 'error' | 'note'>): AnswerCut | undefined {
  if (stopReason === 'aborted' || error?.code === 'aborted')
    return { reason: 'aborted', text: 'Interrupted.' };
  if (error) return { reason: 'error', text: error.message };
  if (stopReason === 'refusal') return { reason: 'error', text: note ?? 'The model declined to answer.' };
  if (stopReason === 'length') return { reason: 'length', text: note ?? cutByLimit };
  return undefined;
}

const cutByLimit =
  'The answer was cut off by the output limit. Say "continue" to get the rest, or raise "maxOutputTokens" in the model\'s profile.';
