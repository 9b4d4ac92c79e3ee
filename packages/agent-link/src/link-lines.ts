import {
  type Answer,
  anyObject,
  flag,
  guard,
  integer,
  list,
  nullable,
  number,
  object,
  permissionModes,
  text,
  variants,
  words,
} from '@robota-sdk/agent-core';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { LinkedFacts, WaitingQuestion } from './linked-session.ts';

/** Whether a line holds an event. Its kind may be one of another version, which is passed on and ignored. */
export const isEvent = guard<SessionEvent>(() => object({ type: text }));

/** Whether a line holds the facts of a session. */
export const isFacts = guard<LinkedFacts>(() => {
  const parts = list(object({ name: text, tokens: number }));
  return object({
    runningSince: nullable(number),
    turn: number,
    model: text,
    models: list(text),
    mode: words(...permissionModes),
    todos: list(object({ content: text, status: text })),
    context: object({ used: number, max: number, compactsAt: number, parts }),
    queue: list(object({ id: text, as: text, text })),
  });
});

/** Whether a line holds the questions that wait. */
export const areQuestions = guard<WaitingQuestion[]>(() => {
  const options = list(object({ label: text }));
  const question = variants('kind', {
    select: [{ title: text, options }],
    confirm: [{ title: text }],
    text: [{ title: text }],
  });
  return list(object({ id: text, digest: text, since: number, question }));
});

/** Whether a line holds an answer to a question. */
export const isAnswer = guard<Answer>(() =>
  variants('kind', {
    selected: [{ indexes: list(integer) }, { text, input: anyObject }],
    confirmed: [{ yes: flag }],
    text: [{ text }],
    dismissed: [{}],
  }),
);
