import type { Interface } from 'node:readline';
import type { Answer, Question, UserInterface } from '@robota-sdk/agent-sdk';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { filterEscapes } from '@robota-sdk/agent-tui';

/** Lines from a terminal, asked for one at a time. */
export interface LineReader {
  /** The next line, also one typed before it was asked for; nothing when the input ends. */
  next(prompt: string): Promise<string | undefined>;
  /** Puts a text into the line that is asked for next, to be sent, changed or cleared. */
  giveBack(text: string): void;
  /** What was given back and no line was asked for since. */
  readonly draft: string;
  /** The answer to a question: only what is typed after it was asked. Nothing when the input ends or it is withdrawn. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
}

/** Reads the lines of a terminal. `onStray` may take what is typed while nothing is asked; the rest waits. */
export function lineReader(lines: Interface, onStray: (line: string) => boolean): LineReader {
  const typedAhead: string[] = [];
  let receive: ((line: string | undefined) => void) | undefined;
  let isClosed = false;
  lines.on('line', (line) => {
    if (receive) receive(line);
    else if (!onStray(line)) typedAhead.push(line);
  });
  lines.once('close', () => {
    isClosed = true;
    receive?.(undefined);
  });
  let draft = '';
  const ask = (prompt: string, signal?: AbortSignal) =>
    new Promise<string | undefined>((resolve) => {
      if (isClosed || signal?.aborted) return resolve(undefined);
      const withdraw = () => receive?.(undefined);
      receive = (line) => {
        receive = undefined;
        signal?.removeEventListener('abort', withdraw);
        resolve(line);
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      lines.setPrompt(prompt);
      lines.prompt();
      moveToEnd(lines);
    });
  const next = async (prompt: string) => {
    const ahead = typedAhead.shift();
    if (ahead !== undefined) return ahead;
    if (isClosed) return undefined;
    const line = ask(prompt);
    if (draft !== '') insertBefore(lines, draft);
    draft = '';
    return line;
  };
  return {
    ask,
    next,
    get draft() {
      return draft;
    },
    giveBack: (text) => {
      // The line editor would take control characters for keys, and a line feed for the end of the line.
      const line = text.replace(/\p{Cc}+/gu, ' ').trim();
      draft = draft === '' ? line : `${draft} ${line}`;
    },
  };
}

/** Empties the line that is being typed; Ctrl+Y brings it back. Tells whether there was anything. */
export function clearLine(lines: Interface): boolean {
  if (lines.line === '') return false;
  moveToEnd(lines);
  lines.write(null, { ctrl: true, name: 'u' });
  return true;
}

/** Puts a text in front of what is being typed. */
function insertBefore(lines: Interface, text: string): void {
  lines.write(null, { ctrl: true, name: 'a' });
  lines.write(lines.line === '' ? text : `${text} `);
  moveToEnd(lines);
}

/** What was typed before the prompt stays in the line, and asking puts the cursor in front of it. */
function moveToEnd(lines: Interface): void {
  if (lines.line !== '') lines.write(null, { ctrl: true, name: 'e' });
}

/** Asks questions as numbered lines: works on every terminal and with every screen reader. */
export function lineInterface(reader: LineReader, output: Output): UserInterface {
  const say = (text: string) => void output.write(`${output.clean(text)}\n`);
  return {
    notify: ({ level, text }) => say(level === 'info' ? text : `${level}: ${text}`),
    ask: async (question, signal) => {
      say(`\n${visible(question.title)}`);
      if (question.detail) say(indent(visible(question.detail)));
      const answer = await readAnswer(question, (prompt) => reader.ask(prompt, signal), say);
      // A withdrawn question leaves the cursor behind its prompt.
      if (answer === undefined && signal?.aborted) say('');
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
    say(`  ${index + 1}. ${visible(label)}${description ? `  (${description})` : ''}`);
  });
  for (;;) {
    const line = await ask(`1-${question.options.length}, or your own words: `);
    if (line === undefined || line.trim() === '') return undefined;
    if (/^\s*(y|yes|n|no)\s*$/i.test(line)) {
      // Which of several choices a bare yes means is not for us to guess.
      say('Answer with a number.');
      continue;
    }
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

/** What is asked about is shown whole: characters that could hide a part of it are spelt out. */
function visible(text: string): string {
  return filterEscapes(text, { sequences: 'show' });
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
