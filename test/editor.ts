import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type NewSessionResponse,
  ndJsonStream,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import type { Stage } from './stage.ts';

type UpdateOf<K extends SessionUpdate['sessionUpdate']> = Extract<SessionUpdate, { sessionUpdate: K }>;

type Permit = string | { readonly optionId: string } | undefined;

export interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers a permission request with the kind of an option or any id, or nothing for a cancelled one. */
  readonly permit?: (request: RequestPermissionRequest) => Permit | Promise<Permit>;
  readonly elicit?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** Ends no more than the process it started itself when a terminal is killed. */
  readonly killsAlone?: boolean;
  /** Requests of these methods are never answered. */
  readonly silent?: readonly string[];
  /** Texts of files that are not saved. */
  readonly buffers?: Record<string, string>;
}

interface Terminal {
  readonly process: ChildProcess;
  readonly exited: Promise<{ exitCode: number | null; signal: string | null }>;
  output: string;
}

/** An editor built on the protocol's client side, with `robota acp` in a separate process. */
export class Editor {
  readonly child: ChildProcess;
  readonly agent: ClientContext;
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  readonly written: Record<string, string> = {};
  readonly read: string[] = [];
  readonly terminals: { command: string; args: readonly string[]; released: boolean }[] = [];
  unanswered = 0;
  stderr = '';
  /** Every line of standard output, to see that it is nothing but protocol. */
  stdout = '';
  readonly exited: Promise<number | null>;
  readonly #options: EditorOptions;
  readonly #terminals = new Map<string, Terminal>();

  constructor(stage: Stage, options: EditorOptions = {}) {
    this.#options = options;
    const { PATH = '' } = process.env;
    const key = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    this.child = spawn(process.execPath, [robotaBin, 'acp', ...(options.args ?? [])], {
      cwd: stage.home,
      env: { PATH, HOME: stage.home, LANG: 'C.UTF-8', ...sharedCode(), ...key, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdout?.on('data', (bytes: Buffer) => {
      this.stdout += bytes.toString('utf8');
    });
    this.child.stdin?.on('error', () => {});
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
    const { stdin, stdout } = this.child;
    if (!stdin || !stdout) throw new Error('no pipes');
    const stream = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
    this.agent = this.#client().connect(stream).agent;
  }

  initialize() {
    const { capabilities = {} } = this.#options;
    return this.agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
  }

  /** Greets and begins a session. */
  async open(cwd: string): Promise<NewSessionResponse> {
    await this.initialize();
    return this.agent.request('session/new', { cwd, mcpServers: [] });
  }

  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<PromptResponse> {
    const blocks = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
    return this.agent.request('session/prompt', { sessionId, prompt: blocks });
  }

  /** The updates of one kind, in order. */
  of<K extends SessionUpdate['sessionUpdate']>(kind: K, sessionId?: string): UpdateOf<K>[] {
    return this.updates
      .filter((each) => sessionId === undefined || each.sessionId === sessionId)
      .map(({ update }) => update)
      .filter((update): update is UpdateOf<K> => update.sessionUpdate === kind);
  }

  /** All text of the agent. */
  text(sessionId?: string): string {
    return this.of('agent_message_chunk', sessionId)
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** Resolves when an update fits. */
  async seen(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate> {
    for (let tries = 0; tries < 1_000; tries++) {
      const found = this.updates.find(({ update }) => fits(update));
      if (found) return found.update;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no such update among ${JSON.stringify(this.updates, null, 1)}\n${this.stderr}`);
  }

  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.exited;
    for (const { process } of this.#terminals.values()) process.kill('SIGKILL');
  }

  #client() {
    const { permit, elicit, buffers = {}, silent = [], killsAlone = false } = this.#options;
    const never = () => {
      this.unanswered++;
      return new Promise(() => {});
    };
    return client({ name: 'test-editor' })
      .onNotification('session/update', ({ params }) => {
        this.updates.push(params);
      })
      .onRequest('session/request_permission', async ({ params }) => {
        this.permissions.push(params);
        const kind = await permit?.(params);
        if (typeof kind === 'object') return { outcome: { outcome: 'selected', ...kind } };
        const option = params.options.find((each) => each.kind === kind || each.name === kind);
        if (!option) return { outcome: { outcome: 'cancelled' } };
        return { outcome: { outcome: 'selected', optionId: option.optionId } };
      })
      .onRequest('elicitation/create', async ({ params }) => {
        if (silent.includes('elicitation/create')) await never();
        return elicit?.(params) ?? { action: 'cancel' };
      })
      .onRequest('fs/read_text_file', async ({ params }) => {
        if (silent.includes('fs/read_text_file')) await never();
        this.read.push(params.path);
        const buffer = buffers[params.path];
        return { content: buffer ?? (await readFile(params.path, 'utf8')) };
      })
      .onRequest('fs/write_text_file', async ({ params }) => {
        if (silent.includes('fs/write_text_file')) await never();
        this.written[params.path] = params.content;
        delete buffers[params.path];
        await writeFile(params.path, params.content);
        return {};
      })
      .onRequest('terminal/create', async ({ params }) => {
        if (silent.includes('terminal/create')) await never();
        const { command, args = [], cwd, env = [] } = params;
        const added = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const child = spawn(command, args, {
          cwd: cwd ?? undefined,
          env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'sk-test', ...added },
          detached: true,
        });
        const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
          child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
        });
        const terminal: Terminal = { process: child, exited, output: '' };
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            terminal.output += text;
          });
        const terminalId = `terminal-${this.#terminals.size + 1}`;
        this.#terminals.set(terminalId, terminal);
        this.terminals.push({ command, args, released: false });
        return { terminalId };
      })
      .onRequest('terminal/output', ({ params }) => ({
        output: this.#terminal(params.terminalId).output,
        truncated: false,
      }))
      .onRequest('terminal/wait_for_exit', ({ params }) => this.#terminal(params.terminalId).exited)
      .onRequest('terminal/kill', ({ params }) => {
        const { pid } = this.#terminal(params.terminalId).process;
        if (pid !== undefined) process.kill(killsAlone ? pid : -pid, 'SIGKILL');
        return {};
      })
      .onRequest('terminal/release', ({ params }) => {
        const index = [...this.#terminals.keys()].indexOf(params.terminalId);
        const terminal = this.terminals[index];
        if (terminal) terminal.released = true;
        return {};
      });
  }

  #terminal(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (!terminal) throw RequestError.resourceNotFound(id);
    return terminal;
  }
}
