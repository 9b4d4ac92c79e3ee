import { type InteractiveSession, pluralize, textOf } from '@robota-sdk/agent-sdk/front-end';
import { type CodeBlock, codeBlocksOf, filterEscapes, oneLine } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';

/**
 * Copies a block of code: the last one of the last answer, or the answer itself if it has none. A number counts the blocks
 * of the whole conversation from its end.
 */
export async function copyBlock(stage: Stage, session: InteractiveSession, argument: string): Promise<void> {
  const answers = answersOf(session);
  if (argument === '') {
    const last = codeBlocksOf(answers.at(-1) ?? '').at(-1);
    return last ? copy(stage, last.text, nameOf(last)) : copyAnswer(stage);
  }
  const number = /^[1-9]\d{0,5}$/.test(argument) ? Number(argument) : undefined;
  if (number === undefined)
    return stage.tell(
      `Expected a number of a block, counted from the last: /copy 2. Got "${oneLine(argument)}".`,
    );
  const found = blockFromEnd(answers, number);
  if (typeof found === 'number')
    return stage.tell(
      found === 0 ? 'No code to copy yet.' : `No block ${number}: only ${pluralize(found, 'block')} of code.`,
    );
  return copy(stage, found.text, nameOf(found));
}

/** Copies the last answer as a whole. */
export async function copyAnswer(stage: Stage): Promise<void> {
  const answer = stage.session && answersOf(stage.session).at(-1);
  if (answer === undefined) return stage.tell('No answer to copy yet.');
  const text = filterEscapes(answer);
  await copy(stage, text, `the last answer, ${linesOf(text)}`);
}

/** The answers of the conversation as they are shown. */
function answersOf(session: InteractiveSession): readonly string[] {
  return session
    .getMessages()
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => textOf(content))
    .filter((text) => text.trim() !== '')
    .map((text) => session.redact(text));
}

/** The block with a number, counted from the end; else how many there are. */
function blockFromEnd(answers: readonly string[], number: number): CodeBlock | number {
  let seen = 0;
  for (const answer of answers.toReversed()) {
    const blocks = codeBlocksOf(answer);
    const found = blocks.at(seen - number);
    if (found) return found;
    seen += blocks.length;
  }
  return seen;
}

async function copy(stage: Stage, text: string, name: string): Promise<void> {
  const isKept = await stage.copy(text);
  // A terminal does not say whether it took the text.
  stage.tell(`Copied ${name}${isKept ? '' : ', if the terminal allows it'}`);
}

function nameOf({ language, text }: CodeBlock): string {
  return `${linesOf(text)} of ${language === '' ? 'code' : oneLine(language)}`;
}

function linesOf(text: string): string {
  return pluralize(text.trimEnd().split('\n').length, 'line');
}
