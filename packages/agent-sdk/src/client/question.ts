import type { Answer as LoopAnswer, Question as LoopQuestion, ToolCallContent } from '@robota-sdk/agent-core';

/** One answer that a question offers. */
interface QuestionChoice {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

/** A question to the user of a program. A permission question has the choices `once`, `session`, `project` and `deny`. */
export interface Question {
  readonly id: string;
  readonly kind: 'permission' | 'select' | 'confirm' | 'text';
  readonly title: string;
  readonly detail?: string;
  readonly choices: readonly QuestionChoice[];
  /** Several choices may be given. */
  readonly multiple?: boolean;
  /** The call that a permission question is about, and why it is asked. */
  readonly call?: ToolCallContent;
  readonly reason?: string;
  /** Reasons to be careful, one phrase each. */
  readonly dangers?: readonly string[];
}

/** An answer: choices by their ids, a text, or a refusal to answer. */
export type Answer =
  | { readonly choice: string | readonly string[]; readonly text?: string }
  | { readonly text: string }
  | { readonly dismissed: true };

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
  return { ...shared, kind: 'permission', choices, call, reason, ...(dangers ? { dangers } : {}) };
}

/** The answer of a program in the words of the loop; one that does not fit the question dismisses it. */
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

/** How long a yes holds where a call is asked about; else the position, from 1. */
function choiceIds({ options, about }: LoopQuestion & { readonly kind: 'select' }): string[] {
  const taken = new Set<string>();
  return options.map((_, index) => {
    const wanted = about?.holds[index];
    const id = wanted === undefined || taken.has(wanted) ? String(index + 1) : wanted;
    taken.add(id);
    return id;
  });
}
