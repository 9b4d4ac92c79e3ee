import { createHash } from 'node:crypto';
import type { Answer, Question } from '@robota-sdk/agent-core';

/** Names every word of a question: an answer for another one does not fit. */
export function questionDigest(question: Question): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url');
}

const longestText = 200;

/** The answer to a question in a few words, such as `allowed once`. */
export function answerText(question: Question, answer: Answer): string {
  switch (answer.kind) {
    case 'dismissed':
      return 'dismissed';
    case 'unavailable':
      return '';
    case 'confirmed':
      return answer.yes ? 'Yes' : 'No';
    case 'text':
      return question.kind === 'text' && question.masked ? '' : shortened(answer.text);
    case 'selected': {
      const { about, options } = question.kind === 'select' ? question : { about: undefined, options: [] };
      const [first = -1] = answer.indexes;
      const held = about?.holds[first];
      if (held !== undefined) return heldTexts[held];
      const labels = answer.indexes
        .map((index) => options[index]?.label ?? '')
        .filter((label) => label !== '');
      return shortened([...labels, ...(answer.text ? [answer.text] : [])].join(', '));
    }
  }
}

const heldTexts = {
  once: 'allowed once',
  session: 'allowed for this session',
  project: 'allowed for this project',
  deny: 'denied',
} as const;

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
