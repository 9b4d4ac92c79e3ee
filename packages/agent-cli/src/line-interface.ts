import type { Interface } from 'node:readline';
import type { UserInterface } from '@robota-sdk/agent-sdk';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { readAnswer, visible } from './read-answer.ts';

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
  /** Cancels the question that is being asked, as if nothing was answered; tells whether there was one. */
  cancel(): boolean;
  /** As `ask`, for what nobody should see on the screen. */
  askMasked(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
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
  let cancelQuestion: (() => void) | undefined;
  const read = (prompt: string, signal?: AbortSignal) =>
    new Promise<string | undefined>((resolve) => {
      if (isClosed || signal?.aborted) return resolve(undefined);
      const resume = receive && setAside(lines);
      const outer = receive;
      const settle = (line: string | undefined) => {
        receive = outer;
        signal?.removeEventListener('abort', withdraw);
        resolve(line);
        if (isClosed) return outer?.(undefined);
        // After what follows the answer has been said.
        setImmediate(() => receive === outer && resume?.());
      };
      const withdraw = () => receive === settle && settle(undefined);
      receive = settle;
      signal?.addEventListener('abort', withdraw, { once: true });
      lines.setPrompt(prompt);
      lines.prompt();
      moveToEnd(lines);
    });
  const ask = async (prompt: string, signal?: AbortSignal) => {
    cancelQuestion = () => receive?.(undefined);
    try {
      return await read(prompt, signal);
    } finally {
      cancelQuestion = undefined;
    }
  };
  const next = async (prompt: string) => {
    const ahead = typedAhead.shift();
    if (ahead !== undefined) return ahead;
    if (isClosed) return undefined;
    const line = read(prompt);
    if (draft !== '') insertBefore(lines, draft);
    draft = '';
    return line;
  };
  return {
    ask,
    cancel: () => {
      if (cancelQuestion === undefined) return false;
      clearLine(lines);
      cancelQuestion();
      return true;
    },
    askMasked: async (prompt, signal) => {
      const { readMasked } = await import('./login/read-masked.ts');
      return isClosed ? undefined : readMasked(prompt, signal);
    },
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

/** Takes a line that is being typed away, for a question in between; the function brings it back. */
function setAside(lines: Interface): () => void {
  const prompt = lines.getPrompt();
  const typed = lines.line;
  clearLine(lines);
  return () => {
    lines.setPrompt(prompt);
    lines.prompt();
    if (typed !== '') insertBefore(lines, typed);
  };
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
      const isMasked = question.kind === 'text' && question.masked === true;
      const ask = (prompt: string) =>
        isMasked ? reader.askMasked(prompt, signal) : reader.ask(prompt, signal);
      const answer = await readAnswer(question, { ask, say });
      // A withdrawn question leaves the cursor behind its prompt.
      if (answer.kind === 'dismissed' && signal?.aborted) say('');
      return answer;
    },
  };
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
