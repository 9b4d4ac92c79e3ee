import { type ChildProcess, spawn } from 'node:child_process';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import type { Stage } from './stage.ts';

/** A line of output, parsed. */
export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** A program that talks to `robota -p --input-format stream-json` in a separate process. */
export class Program {
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  stderr = '';
  readonly exited: Promise<number | null>;

  constructor(stage: Stage, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const { PATH = '' } = process.env;
    const format = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
    this.child = spawn(process.execPath, [robotaBin, ...format, '--model', 'claude-sonnet-4-6', ...args], {
      cwd: stage.cwd,
      env: {
        PATH,
        HOME: stage.home,
        LANG: 'C.UTF-8',
        ...sharedCode(),
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: stage.server.url,
        ...env,
      },
    });
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) this.lines.push(JSON.parse(line) as Line);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => {});
    this.exited = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
  }

  send(...messages: readonly unknown[]): void {
    const text = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message));
    this.child.stdin?.write(messages.map((message) => `${text(message)}\n`).join(''));
  }

  /** Says something as a user of Claude Code's SDK does. */
  say(content: unknown, extra: object = {}): void {
    this.send({ type: 'user', message: { role: 'user', content }, session_id: '', ...extra });
  }

  of(type: string): Line[] {
    return this.lines.filter((line) => line.type === type);
  }

  /** Resolves with the first line that fits and was not given before. */
  async next(fits: (line: Line) => boolean): Promise<Line> {
    for (let tries = 0; tries < 1_000; tries++) {
      const found = this.lines.find((line) => !this.#given.has(line) && fits(line));
      if (found) {
        this.#given.add(found);
        return found;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(
      `no such line among\n${this.lines.map((line) => JSON.stringify(line).slice(0, 500)).join('\n')}\n${this.stderr}`,
    );
  }

  result(): Promise<Line> {
    return this.next(({ type }) => type === 'result');
  }

  /** Ends the input and resolves with the exit code. */
  end(): Promise<number | null> {
    this.child.stdin?.end();
    return this.exited;
  }

  readonly #given = new Set<Line>();
}
