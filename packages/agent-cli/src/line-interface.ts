import type { Interface } from 'node:readline';
import type { Answer, Question, UserInterface } from '@robota-sdk/agent-sdk';
import type { Output } from '@robota-sdk/agent-transport-headless';

/** Reads one line, or nothing when the input ends or the question is withdrawn. */
export type ReadLine = (prompt: string, signal?: AbortSignal) => Promise<string | undefined>;

/** Lines from a terminal, asked for one at a time. */
export function lineReader(lines: Interface): ReadLine {
  return (prompt, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined);
      const finish = (line: string | undefined) => {
        lines.off('close', onClose);
        signal?.removeEventListener('abort', onClose);
        resolve(line);
      };
      const onClose = () => finish(undefined);
      lines.once('close', onClose);
      signal?.addEventListener('abort', onClose, { once: true });
      lines.question(prompt, finish);
    });
}

/** Asks questions as numbered lines: works on every terminal and with every screen reader. */
export function lineInterface(readLine: ReadLine, output: Output): UserInterface {
  const say = (text: string) => void output.write(`${output.clean(text)}\n`);
  return {
    notify: ({ level, text }) => say(level === 'info' ? text : `${level}: ${text}`),
    ask: async (question, signal) => {
      say(`\n${question.title}`);
      if (question.detail) say(indent(question.detail));
      const answer = await readAnswer(question, (prompt) => readLine(prompt, signal), say);
      return answer ?? { kind: 'dismissed' };
    },
  };
}

type Ask = (prompt: string) => Promise<string | undefined>;

async function readAnswer(
  question: Question,
  ask: Ask,
  say: (text: string) => void,
): Promise<Answer | undefined> {
  if (question.kind === 'confirm') {
    const line = await ask('yes or no? ');
    return line === undefined ? undefined : { kind: 'confirmed', yes: /^\s*y/i.test(line) };
  }
  if (question.kind === 'text') {
    const line = await ask('> ');
    return line === undefined ? undefined : { kind: 'text', text: line };
  }
  question.options.forEach(({ label, description }, index) => {
    say(`  ${index + 1}. ${label}${description ? `  (${description})` : ''}`);
  });
  for (;;) {
    const line = await ask(`1-${question.options.length}, or your own words: `);
    if (line === undefined || line.trim() === '') return undefined;
    const numbers = line
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (numbers.some(Number.isNaN)) {
      // Words are an answer of their own; for a permission they tell the model what to do instead.
      return { kind: 'selected', indexes: [question.options.length - 1], text: line.trim() };
    }
    const indexes = numbers.map((number) => number - 1);
    if (indexes.every((index) => question.options[index] !== undefined)) return { kind: 'selected', indexes };
    say(`There is no choice ${line.trim()}.`);
  }
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
