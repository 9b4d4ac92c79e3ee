import type { Interface } from 'node:readline';
import { isCommandText, type UserInterface } from '@robota-sdk/agent-sdk/front-end';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { visibleText } from '@robota-sdk/agent-tui';
import {
  continued,
  decodePastedLine,
  encodePaste,
  encodePastedText,
  type TypedInput,
} from './pasted-text.ts';
import { readAnswer } from './read-answer.ts';

/** Lines from a terminal, asked for one at a time. */
export interface LineReader {
  /** The next input, also one typed before it was asked for; nothing when the input ends. */
  next(prompt: string): Promise<TypedInput | undefined>;
  /** Puts a text into the line that is asked for next, to be sent, changed or cleared. */
  giveBack(text: string): void;
  /** Text put back for editing, until the next line is read. */
  readonly draft: string;
  /** True while a line is being read. */
  readonly isWaiting: boolean;
  /**
   * The answer to a question: only what is typed after it was seen; what was being typed comes back afterwards. Nothing
   * when the input ends or it is withdrawn.
   */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Cancels the question that is being asked, as if nothing was answered; tells whether there was one. */
  cancel(): boolean;
  /** Like `ask`, with masked input. */
  askMasked(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
}

export interface LineReaderOptions {
  /** May take what is typed while nothing is asked; the rest waits. */
  onStray?(input: TypedInput): boolean;
  /** The source of keys. */
  readonly input?: NodeJS.ReadableStream;
}

/** No one reads a question and answers it in this time. */
const noticeMs = 150;
const notAnAnswer = 'Your input was not used as an answer and is kept. Answer now:';

/** Reads the lines of a terminal. */
export function lineReader(lines: Interface, options: LineReaderOptions = {}): LineReader {
  return new TerminalLineReader(lines, options);
}

/** Waits for a line; undefined means that none will come. */
type Receiver = (line: string | undefined) => void;

class TerminalLineReader implements LineReader {
  readonly #lines: Interface;
  readonly #options: LineReaderOptions;
  readonly #typedAhead: TypedInput[] = [];
  #receive: Receiver | undefined;
  #cancelQuestion: (() => void) | undefined;
  #isClosed = false;
  /** As the line editor has it. */
  #draft = '';

  constructor(lines: Interface, options: LineReaderOptions) {
    this.#lines = lines;
    this.#options = options;
    lines.on('line', (line) => this.#take(line));
    // A continued line is sent and remembered with its end.
    lines.on('history', (history: string[]) => continued(history[0] ?? '') && history.shift());
    lines.once('close', () => {
      this.#isClosed = true;
      this.#receive?.(undefined);
    });
  }

  get draft(): string {
    const { typed, pasted } = decodePastedLine(this.#draft);
    return typed + pasted;
  }

  get isWaiting(): boolean {
    return this.#receive !== undefined;
  }

  async next(prompt: string): Promise<TypedInput | undefined> {
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) return ahead;
    if (this.#isClosed) return undefined;
    const line = this.#read(prompt);
    if (this.#draft !== '') insertBefore(this.#lines, this.#draft);
    this.#draft = '';
    const read = await line;
    return read === undefined ? undefined : decodePastedLine(read);
  }

  giveBack(text: string): void {
    this.#keep(
      isCommandText(text) && text.trim().includes('\n')
        ? encodePaste(text.trim())
        : encodePastedText(text.trim()),
    );
  }

  async ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    this.#cancelQuestion = () => this.#receive?.(undefined);
    try {
      const read = await this.#askNow(prompt, signal);
      if (read === undefined) return undefined;
      const { typed, pasted } = decodePastedLine(read);
      return typed + pasted;
    } finally {
      this.#cancelQuestion = undefined;
    }
  }

  cancel(): boolean {
    if (this.#cancelQuestion === undefined) return false;
    clearLine(this.#lines);
    this.#cancelQuestion();
    return true;
  }

  async askMasked(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    const { readMasked } = await import('./read-masked.ts');
    const { input = process.stdin } = this.#options;
    return this.#isClosed ? undefined : readMasked(prompt, { input, signal });
  }

  #take(line: string): void {
    const more = this.#cancelQuestion ? undefined : continued(line);
    if (more !== undefined) return this.#goOn(more);
    if (this.#receive) return this.#receive(line);
    const input = decodePastedLine(line);
    if (!this.#options.onStray?.(input)) this.#typedAhead.push(input);
  }

  #goOn(line: string): void {
    if (this.#receive) this.#lines.prompt();
    this.#lines.write(line);
  }

  #keep(line: string): void {
    this.#draft = joined(this.#draft, line);
  }

  #read(prompt: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#receive = (line) => {
        this.#receive = undefined;
        resolve(line);
      };
      this.#paint(prompt);
    });
  }

  #askNow(prompt: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#isClosed || signal?.aborted) return resolve(undefined);
      const outer = this.#receive;
      const outerPrompt = this.#lines.getPrompt();
      // Without a prompt, what is typed stands anywhere: the question must not be wiped out with it.
      if (!outer) Reflect.set(this.#lines, 'prevRows', 0);
      const aside = new InterruptedText(this.#takeLine());
      // Without words there is nothing to decide, and any line will do.
      let isNoticed = prompt === '';
      const notice = setTimeout(() => {
        isNoticed = true;
        if (this.#receive === settle) aside.add(this.#takeLine());
      }, noticeMs);
      const settle: Receiver = (line) => {
        // The end of a line that was begun before the question is no answer, however late it comes.
        if (line !== undefined && (!isNoticed || aside.isOpen)) {
          aside.add(line);
          return aside.end() ? this.#paint(`${notAnAnswer}\n${prompt}`) : this.#lines.prompt();
        }
        clearTimeout(notice);
        this.#receive = outer;
        signal?.removeEventListener('abort', withdraw);
        if (line === undefined) aside.add(this.#takeLine());
        if (!outer || this.#isClosed) this.#keep(aside.text);
        resolve(line);
        if (!outer) return;
        if (this.#isClosed) return outer(undefined);
        // After what follows the answer has been said.
        setImmediate(() => this.#receive === outer && this.#resume(outerPrompt, aside.text));
      };
      const withdraw = () => this.#receive === settle && settle(undefined);
      this.#receive = settle;
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#paint(prompt);
    });
  }

  /** Takes away what is being typed, and tells what it was. */
  #takeLine(): string {
    const typed = this.#lines.line;
    if (!this.#isClosed) clearLine(this.#lines);
    return typed;
  }

  #resume(prompt: string, aside: string): void {
    this.#paint(prompt);
    if (aside !== '') insertBefore(this.#lines, aside);
  }

  #paint(prompt: string): void {
    this.#lines.setPrompt(prompt);
    this.#lines.prompt();
    moveToEnd(this.#lines);
  }
}

/** Text that was being typed when a question appeared, and its rest that came later. */
class InterruptedText {
  #lines: string[];
  #open: string;

  constructor(text: string) {
    this.#lines = [];
    this.#open = text;
  }

  get text(): string {
    return [...this.#lines, this.#open].filter((line) => line !== '').join(' ');
  }

  /** A line was begun that no enter has ended yet. */
  get isOpen(): boolean {
    return this.#open !== '';
  }

  add(text: string): void {
    this.#open += text;
  }

  /** Ends the line; false where there was none. */
  end(): boolean {
    if (!this.isOpen) return false;
    this.#lines.push(this.#open);
    this.#open = '';
    return true;
  }
}

/** Empties the line that is being typed; Ctrl+Y brings it back. Tells whether there was anything. */
export function clearLine(lines: Interface): boolean {
  if (lines.line === '') return false;
  moveToEnd(lines);
  lines.write(null, { ctrl: true, name: 'u' });
  return true;
}

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join(' ');
}

/** Puts a text in front of what is being typed. */
function insertBefore(lines: Interface, text: string): void {
  lines.write(null, { ctrl: true, name: 'a' });
  lines.write(lines.line === '' ? text : `${text} `);
  moveToEnd(lines);
}

/** Text typed before the prompt stays in the line, but readline puts the cursor in front of it. */
function moveToEnd(lines: Interface): void {
  if (lines.line !== '') lines.write(null, { ctrl: true, name: 'e' });
}

/** Asks questions as numbered lines: works on every terminal and with every screen reader. */
export function lineInterface(reader: LineReader, output: Output): UserInterface {
  const say = (text: string) => void output.write(`${output.clean(text)}\n`);
  return {
    notify: ({ level, text }) => say(level === 'info' ? text : `${level}: ${text}`),
    ask: async (question, signal) => {
      const note = question.kind === 'select' && question.note ? ` (${question.note})` : '';
      say(`\n${visibleText(question.title + note)}`);
      if (question.detail) say(indent(visibleText(question.detail)));
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
