import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import type { Stage } from './stage.ts';

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

/** `robota web` in a process of its own, and a browser's requests to it. */
export class WebProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  #origin = '';
  #headers: Record<string, string> = {};

  private constructor(stage: Stage) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [robotaBin, 'web', '--port', '0'], {
      cwd: stage.cwd,
      env: {
        PATH,
        HOME: stage.home,
        LANG: 'C.UTF-8',
        ...sharedCode(),
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: stage.server.url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'close');
  }

  /** Starts the server and enters it. */
  static async start(stage: Stage): Promise<WebProcess> {
    const web = new WebProcess(stage);
    const address = new URL(await firstLine(web.child));
    web.#origin = address.origin;
    const token = address.hash.slice(1);
    const reply = await fetch(`${address.origin}/api/enter`, {
      method: 'POST',
      headers: { Origin: address.origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { key } = (await reply.json()) as { key: string };
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    web.#headers = { Cookie: cookie, 'Robota-Key': key, 'Sec-Fetch-Site': 'same-origin' };
    return web;
  }

  async get<T>(path: string): Promise<T> {
    const reply = await fetch(`${this.#origin}${path}`, { headers: this.#headers });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async post<T>(path: string, body: unknown): Promise<WebAnswer<T>> {
    const headers = { ...this.#headers, Origin: this.#origin, 'Content-Type': 'application/json' };
    const reply = await fetch(`${this.#origin}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: reply.status, json: (await reply.json()) as T };
  }

  /** The events of a session after one; ends when the server is gone. */
  async *stream(session: string, lastId?: string): AsyncGenerator<Streamed> {
    const resume = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    const reply = await fetch(`${this.#origin}/api/events?session=${session}`, {
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
    this.child.kill(signal);
    await this.exited;
  }
}

async function firstLine({ stdout, stderr }: ChildProcess): Promise<string> {
  let text = '';
  let problems = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    problems += chunk;
  });
  stdout?.setEncoding('utf8');
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    const [line, rest] = text.split('\n');
    if (line !== undefined && rest !== undefined) return line;
  }
  throw new Error(`robota web printed no address: ${problems}`);
}
