import type { FleetCommand } from '../contract/client.ts';
import type { TaskQuestion } from '../contract/task.ts';

/** An answer of the user to the question of a task. */
export type QuestionAnswer = Pick<Extract<FleetCommand, { type: 'answer' }>, 'decision' | 'text'>;

/** A question of the model takes any text; the approval of a call takes a decision. */
export function isOpen({ tool }: TaskQuestion): boolean {
  return tool === 'AskUser';
}

/** Reads words as the answer to a question. A reason is a refusal with words for the model. */
export function answerIn(words: string, question: TaskQuestion): QuestionAnswer {
  const text = words.trim();
  if (isOpen(question)) {
    const choice = /^\d{1,3}$/.test(text) ? question.choices?.[Number(text) - 1] : undefined;
    return { decision: 'text', text: choice ?? text };
  }
  const word = text.toLowerCase();
  if (['allow', 'yes', 'y'].includes(word)) return { decision: 'allow' };
  if (['deny', 'no', 'n'].includes(word)) return { decision: 'deny' };
  return { decision: 'deny', text };
}
