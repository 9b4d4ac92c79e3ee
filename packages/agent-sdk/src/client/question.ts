import {
  describeRisk,
  type Answer as LoopAnswer,
  type Question as LoopQuestion,
} from '@robota-sdk/agent-core';
import type { Answer, Question, QuestionChoice } from '../contract/question.ts';

/** A question of the loop as programs see it. */
export function questionOf(question: LoopQuestion, id: string): Question {
  const { title, detail } = question;
  const shared = { id, title, ...(detail === undefined ? {} : { detail }) };
  if (question.kind === 'text') return { ...shared, kind: 'text', choices: [] };
  if (question.kind === 'confirm') return { ...shared, kind: 'confirm', choices: yesAndNo };
  const { about, multiple } = question;
  const ids = choiceIds(question);
  const choices = question.options.map(({ label, description }, index) => ({
    id: ids[index] ?? String(index + 1),
    label,
    ...(description === undefined ? {} : { description }),
  }));
  if (!about) return { ...shared, kind: 'select', choices, ...(multiple ? { multiple } : {}) };
  const { call, reason, dangers } = about;
  return {
    ...shared,
    kind: 'permission',
    choices,
    call,
    reason,
    ...(dangers ? { dangers: dangers.map(describeRisk) } : {}),
  };
}

/** Converts a program's answer for the loop; one that does not match the question dismisses it. */
export function loopAnswer(question: LoopQuestion, answer: Answer): LoopAnswer {
  const dismissed: LoopAnswer = { kind: 'dismissed' };
  if (typeof answer !== 'object' || answer === null || 'dismissed' in answer) return dismissed;
  if (question.kind === 'text') {
    return typeof answer.text === 'string' ? { kind: 'text', text: answer.text } : dismissed;
  }
  const words = typeof answer.text === 'string' ? { text: answer.text } : {};
  if (!('choice' in answer)) {
    return question.kind === 'select' ? { kind: 'selected', indexes: [], ...words } : dismissed;
  }
  const chosen = typeof answer.choice === 'string' ? [answer.choice] : answer.choice;
  if (question.kind === 'confirm') {
    const [only] = chosen;
    return only === 'yes' || only === 'no' ? { kind: 'confirmed', yes: only === 'yes' } : dismissed;
  }
  const ids = choiceIds(question);
  const indexes = chosen.map((id) => ids.indexOf(id));
  if (indexes.length === 0 || indexes.includes(-1)) return dismissed;
  if (indexes.length > 1 && !question.multiple) return dismissed;
  return { kind: 'selected', indexes, ...words };
}

const yesAndNo: readonly QuestionChoice[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** How long an approval lasts, if a call is asked about; otherwise the position, from 1. */
function choiceIds({ options, about }: LoopQuestion & { readonly kind: 'select' }): string[] {
  const taken = new Set<string>();
  return options.map((_, index) => {
    const wanted = about?.holds[index];
    const id = wanted === undefined || taken.has(wanted) ? String(index + 1) : wanted;
    taken.add(id);
    return id;
  });
}
