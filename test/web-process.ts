import type { Stage } from './stage.ts';
import { enterWeb, startWeb, type WebProgram } from './web-program.ts';

/** An event of a stream, with the id that resumes after it. */
export interface Streamed {
  readonly id: string | undefined;
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** The reply to a request. */
export interface WebAnswer<T> {
  readonly status: number;
  readonly json: T;
}

/** How long a reply or the end of the server may take on a busy machine; a take-over itself waits for up to 70 s. */
const patienceMs = 100_000;

/** `robota web` in a process of its own, and a browser's requests to it. */
export class WebProcess {
  readonly #program: WebProgram;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(program: WebProgram, headers: Readonly<Record<string, string>>) {
    this.#program = program;
    this.#headers = headers;
  }

  /** Starts the server and enters it. */
  static async start({ cwd, home, server }: Stage): Promise<WebProcess> {
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const program = await startWeb({ cwd, home, env });
    return new WebProcess(program, await enterWeb(program));
  }

  async get<T>(path: string): Promise<T> {
    const reply = await this.#fetch(path, { headers: this.#headers });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async post<T>(path: string, body: unknown): Promise<WebAnswer<T>> {
    const { origin } = this.#program;
    const headers = { ...this.#headers, Origin: origin, 'Content-Type': 'application/json' };
    const reply = await this.#fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: reply.status, json: (await reply.json()) as T };
  }

  /** The events of a session after one; ends when the server is gone. */
  async *stream(session: string, lastId?: string): AsyncGenerator<Streamed> {
    const resume = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    const reply = await fetch(`${this.#program.origin}/api/events?session=${session}`, {
      headers: { ...this.#headers, ...resume },
    });
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of reply.body ?? []) {
        const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data !== undefined) yield { id: /^id: (.*)$/m.exec(part)?.[1], event: JSON.parse(data) };
        }
      }
    } catch {
      // The connection broke.
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child, exited } = this.#program;
    child.kill(signal);
    await this.#inTime(exited, `It did not end after ${signal}`);
  }

  #fetch(path: string, options: RequestInit): Promise<Response> {
    return this.#inTime(fetch(`${this.#program.origin}${path}`, options), `No reply to ${path}`);
  }

  /** Fails with what the server printed, so that a hang tells more than the time-out of its test. */
  async #inTime<T>(done: Promise<T>, complaint: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = () => reject(new Error(`${complaint}. It printed:\n${this.#program.output().stderr}`));
      timer = setTimeout(fail, patienceMs);
    });
    return Promise.race([done, late]).finally(() => clearTimeout(timer));
  }
}
