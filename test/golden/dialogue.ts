import { type ChildProcess, spawn } from 'node:child_process';
import { robotaBin } from '@robota-sdk/agent-testing';

/** A JSON object on one line. */
export type Line = Readonly<Record<string, unknown>>;

export interface DialogueOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Answers a line of the program by itself; undefined leaves it to the script. */
  reply?(line: Line): Line | undefined | Promise<Line | undefined>;
}

/** A built program that speaks JSON lines, and both sides of what was said. */
export class Dialogue {
  readonly lines: Line[] = [];
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  /** Lines that we sent, by the number of lines that were read before it was due. */
  readonly #sent: { readonly after: number; readonly text: string }[] = [];
  readonly #taken = new Set<Line>();
  #position = 0;
  #wake: (() => void)[] = [];
  #isOver = false;

  constructor(args: readonly string[], { cwd, env, reply }: DialogueOptions) {
    this.#child = spawn(process.execPath, [robotaBin, ...args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let rest = '';
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const line = JSON.parse(part) as Line;
        const position = this.lines.push(line);
        void Promise.resolve(reply?.(line)).then((answer) => {
          if (!answer) return;
          this.#taken.add(line);
          this.#write(JSON.stringify(answer), position);
        });
      }
      this.#notify();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#child.stdin?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        this.#isOver = true;
        this.#notify();
        resolve(code);
      });
    });
  }

  /** Sends objects, or texts as they are, right after the line that was waited for last. */
  send(...messages: readonly (object | string)[]): void {
    for (const message of messages)
      this.#write(typeof message === 'string' ? message : JSON.stringify(message), this.#position);
  }

  /** Resolves with the first line that fits and was not given before. */
  async next(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const at = this.lines.findIndex((line) => !this.#taken.has(line) && fits(line));
      const line = this.lines[at];
      if (line) {
        this.#taken.add(line);
        this.#position = Math.max(this.#position, at + 1);
        return line;
      }
      if (this.#isOver) throw new Error(`The program ended without such a line:\n${this.transcript()}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Ends the input and resolves with the exit code. */
  end(): Promise<number | null> {
    this.#child.stdin?.end();
    return this.ended;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Both sides in their order: `>` what was sent, `<` what came, `!` standard error. */
  transcript(keep: (line: Line) => Line | undefined = (line) => line): string {
    const texts: string[] = [];
    for (let at = 0; at <= this.lines.length; at++) {
      for (const { after, text } of this.#sent) if (after === at) texts.push(`> ${text}`);
      const line = this.lines[at];
      const kept = line && keep(line);
      if (kept) texts.push(`< ${JSON.stringify(kept)}`);
    }
    for (const line of this.stderr.split('\n')) if (line !== '') texts.push(`! ${line}`);
    return `${texts.join('\n')}\n`;
  }

  #write(text: string, after: number): void {
    this.#sent.push({ after, text });
    this.#child.stdin?.write(`${text}\n`);
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
