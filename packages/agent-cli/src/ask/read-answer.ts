import type { Answer, Question } from '@robota-sdk/agent-sdk/front-end';
import { visibleText } from '@robota-sdk/agent-tui';

/** Services for reading an answer line by line. */
export interface AnswerServices {
  /** The next line; nothing where the question was cancelled. */
  ask(prompt: string): Promise<string | undefined>;
  say(text: string): void;
}

type Selection = Extract<Question, { kind: 'select' }>;

/** Reads the answer to a question; what is no answer changes nothing, and nothing at all is a way out. */
export async function readAnswer(question: Question, services: AnswerServices): Promise<Answer> {
  switch (question.kind) {
    case 'confirm':
      return readConfirmation(services);
    case 'select':
      return readSelection(question, services);
    case 'text': {
      const line = await services.ask('> ');
      return line === undefined ? dismissed : { kind: 'text', text: line };
    }
  }
}

const dismissed: Answer = { kind: 'dismissed' };
const yes = /^(?:y|yes)$/i;
const no = /^(?:n|no)$/i;
const cancels = /^(?:cancel)?$/i;

async function readConfirmation({ ask, say }: AnswerServices): Promise<Answer> {
  for (;;) {
    const word = (await ask('yes or no? (Enter cancels) '))?.trim() ?? '';
    if (cancels.test(word)) return dismissed;
    if (yes.test(word) || no.test(word)) return { kind: 'confirmed', yes: yes.test(word) };
    say('Answer yes or no; press Enter to cancel.');
  }
}

async function readSelection(question: Selection, services: AnswerServices): Promise<Answer> {
  const { options, words } = question;
  options.forEach(({ label, description }, index) => {
    services.say(
      `  ${index + 1}. ${visibleText(label)}${description ? `  (${visibleText(description)})` : ''}`,
    );
  });
  const numbers = options.length === 1 ? '1' : `1-${options.length}`;
  const possible = words === undefined ? numbers : `${numbers}, or ${words}`;
  for (;;) {
    const typed = (await services.ask(`${possible} (Enter cancels): `))?.trim() ?? '';
    if (cancels.test(typed)) return dismissed;
    const indexes = indexesOf(typed, question);
    if (indexes) return withWords({ kind: 'selected', indexes }, { typed, question, services });
    const isNumber = /^[\d\s,]+$/.test(typed);
    if (words !== undefined && !isNumber) return { kind: 'selected', indexes: [], text: typed };
    const refusal = options.findIndex(({ means, asks }) => means === 'no' && asks !== undefined);
    if (refusal >= 0 && isInstruction(typed)) {
      services.say('Denied. Your text is sent as the reason.');
      return { kind: 'selected', indexes: [refusal], text: typed };
    }
    if (isNumber) services.say(`No choice ${typed}.`);
    services.say(`Answer with ${possible}; press Enter to cancel.`);
  }
}

/**
 * True if words say what to do instead, which is a no. Those that begin like a yes, and single words, may be
 * meant otherwise: they are neither a yes nor a no.
 */
function isInstruction(typed: string): boolean {
  return /\s/.test(typed) && !/^[\d\s,]+$/.test(typed) && !assent.test(typed);
}

const assent =
  /^\W*(?:y|ye|ya|yes|yep|yeah|yup|ok|okay|k|sure|fine|good|great|please|go|do (?:it|so|that)|allow|approve|approved|accept|always|proceed|continue|run|let|why not|\d+)(?:\W|$)/i;

/** The choices that are meant: by number, by their whole text, or by a bare yes or no where there is one for it. */
function indexesOf(typed: string, { options, multiple = false }: Selection): readonly number[] | undefined {
  const named = options.findIndex(({ label }) => label.toLowerCase() === typed.toLowerCase());
  if (named >= 0) return [named];
  const wish = yes.test(typed) ? 'yes' : no.test(typed) ? 'no' : undefined;
  const wished = options.findIndex(({ means, label }) => wish && (means ?? label.toLowerCase()) === wish);
  if (wished >= 0) return [wished];
  const parts = typed.split(/[\s,]+/);
  if (!parts.every((part) => /^\d+$/.test(part)) || (parts.length > 1 && !multiple)) return undefined;
  const indexes = parts.map((part) => Number(part) - 1);
  return indexes.every((index) => options[index] !== undefined) ? indexes : undefined;
}

/** Some choices want words; a bare no has none to add. */
async function withWords(
  answer: Extract<Answer, { kind: 'selected' }>,
  { typed, question, services }: { typed: string; question: Selection; services: AnswerServices },
): Promise<Answer> {
  const asks = question.options[answer.indexes[0] ?? -1]?.asks;
  if (asks === undefined || no.test(typed)) return answer;
  const line = await services.ask(`${asks} (Enter: nothing) `);
  const text = line?.trim() ?? '';
  return text === '' ? answer : { ...answer, text };
}
