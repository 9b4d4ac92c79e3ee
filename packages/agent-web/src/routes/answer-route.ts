import type { AnswerOutcome } from '@robota-sdk/agent-link';
import type { SettledQuestion, StaleAnswer } from '../contract/question.ts';
import type { WebReply, WebRequest, WebRoute } from '../contract/route.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { answerTo, parseAnswer, webQuestion } from '../live/web-question.ts';
import { idOf } from './read-body.ts';

/** `POST /api/sessions/:id/answers`: answers a question wherever its session is held; 409 if that was done already. */
export function answerRoute(live: LiveSessions): WebRoute {
  return {
    method: 'POST',
    path: '/api/sessions/:id/answers',
    handle: (request) => answer(live, request),
  };
}

async function answer(live: LiveSessions, { params, body }: WebRequest): Promise<WebReply> {
  const linked = await live.linked(idOf(params.id));
  const request = parseAnswer(body);
  const asked = linked?.questions().find(({ id }) => id === request.questionId);
  // One that is settled is asked about as well: its holder knows how.
  const given = asked ? answerTo(asked.question, request.answer) : ({ kind: 'dismissed' } as const);
  const { questionId: id, digest } = request;
  const outcome = await linked?.answer({ id, digest, answer: given });
  if (outcome?.isTaken) return { json: {} };
  const settled = settledOf(outcome);
  const questions = (linked?.questions() ?? []).map((each) => webQuestion(each));
  const reply: StaleAnswer = { code: 'question-settled', message: settled.text, settled, questions };
  return { json: reply, status: 409 };
}

function settledOf(outcome: Exclude<AnswerOutcome, { isTaken: true }> | undefined): SettledQuestion {
  const { by, text } = outcome ?? { by: 'gone' as const, text: '' };
  if (by === 'changed') return { by, text: 'The question has changed. Read it again.' };
  if (by === 'gone') return { by, text: 'The question was withdrawn.' };
  const where = by === 'terminal' ? 'terminal' : 'browser';
  const words = text === '' ? '.' : `: ${text}${/[.!?]$/.test(text) ? '' : '.'}`;
  return { by: where, text: `Already answered in the ${where}${words}` };
}
