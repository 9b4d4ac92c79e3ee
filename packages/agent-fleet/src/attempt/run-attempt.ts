import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describeExit, errorMessage, signalGroup, textRedactor } from '@robota-sdk/agent-core';
import type {
  AttemptHandlers,
  AttemptOrder,
  AttemptProcess,
  AttemptRunner,
  FromAttempt,
  ToAttempt,
  WorkOutcome,
} from '../contract/attempt.ts';
import { attemptEnvironment, secretsIn } from './attempt-environment.ts';

export interface AttemptRunnerOptions {
  /** `$ROBOTA_HOME`; logs are in `fleet/logs` of it. */
  readonly home: string;
  /** The environment of the worker; secrets other than keys of models are taken out of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that works on an attempt, bundled since it starts often. */
const program = fileURLToPath(new URL('../../dist/bundle/attempt-main.mjs', import.meta.url));

/** How long a process may take to end by itself. */
const graceMs = 5_000;

/** Starts attempts as child processes. */
export function attemptRunner(options: AttemptRunnerOptions): AttemptRunner {
  return { start: (order, handlers) => new ForkedAttempt(order, handlers, options) };
}

class ForkedAttempt implements AttemptProcess {
  readonly outcome: Promise<WorkOutcome>;
  readonly #child: ChildProcess;
  readonly #handlers: AttemptHandlers;
  readonly #exit: Promise<string>;
  #end: WorkOutcome | undefined;

  constructor(order: AttemptOrder, handlers: AttemptHandlers, { home, env }: AttemptRunnerOptions) {
    this.#handlers = handlers;
    const child = fork(program, [], {
      cwd: order.directory,
      env: { ...attemptEnvironment(env, home), ROBOTA_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A group of its own, so that a signal to the worker's terminal does not reach it.
      detached: true,
      execArgv: [],
    });
    this.#child = child;
    this.#exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(describeExit({ code, signal })));
      child.once('error', (error) => resolve(errorMessage(error)));
    });
    keepLog(child, order, { home, secrets: secretsIn(env, home) });
    child.on('message', (message: FromAttempt) => void this.#receive(message));
    this.#send(order);
    this.outcome = this.#settle();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  say(text: string): void {
    this.#send({ type: 'say', text });
  }

  async stop(): Promise<void> {
    this.#send({ type: 'stop' });
    await this.#ended();
  }

  async #settle(): Promise<WorkOutcome> {
    const how = await this.#exit;
    if (this.#end) return this.#end;
    const message = `The process of the attempt ended early: ${how}`;
    return { kind: 'failed', reason: { code: 'internal', message }, cost: 0, turns: 0 };
  }

  /** Waits for the process; one that does not end is killed with its group, and its watchdog ends its commands. */
  async #ended(): Promise<void> {
    const timer = setTimeout(() => this.#kill(), graceMs);
    await this.#exit;
    clearTimeout(timer);
  }

  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return;
    signalGroup({ pid, isReaped: exitCode !== null || signalCode !== null }, 'SIGKILL');
  }

  async #receive(message: FromAttempt): Promise<void> {
    try {
      const reply = await this.#answer(message);
      if (reply) this.#send(reply);
    } catch {
      // The lease is lost, or the database is gone: nothing more may happen.
      this.#kill();
    }
  }

  async #answer(message: FromAttempt): Promise<ToAttempt | undefined> {
    const handlers = this.#handlers;
    switch (message.type) {
      case 'reserve': {
        const { request, amount, model } = message;
        const reserved = await handlers.reserve(amount, model);
        return reserved.kind === 'reserved'
          ? { type: 'reserved', request, id: reserved.id }
          : { type: 'refused', request, reason: reserved.reason };
      }
      case 'settle':
        await handlers.settle(message.id, message.cost);
        return undefined;
      case 'snapshot':
        return { type: 'snapshot-taken', request: message.request, tree: await handlers.snapshot() };
      case 'difference': {
        const text = await handlers.difference?.(message.tree).catch(() => undefined);
        return { type: 'difference', request: message.request, ...(text === undefined ? {} : { text }) };
      }
      case 'progress':
        handlers.progress(message);
        return undefined;
      case 'answer-used':
        await handlers.answerUsed?.(message.hash);
        return undefined;
      case 'end':
        this.#end = message.outcome;
        void this.#ended();
        return undefined;
    }
  }

  #send(message: ToAttempt): void {
    // A process that has just ended takes no more messages; its exit tells so.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

function keepLog(
  child: ChildProcess,
  { taskId, attempt }: AttemptOrder,
  { home, secrets }: { readonly home: string; readonly secrets: readonly string[] },
): void {
  const directory = join(home, 'fleet', 'logs');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const log = createWriteStream(join(directory, `${taskId}-${attempt}.log`), { flags: 'a', mode: 0o600 });
  log.on('error', () => {});
  const redact = textRedactor(secrets);
  const lines = (stream: Readable | null) => {
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => log.write(`${redact(line)}\n`));
  };
  lines(child.stdout);
  lines(child.stderr);
  child.once('close', () => log.end());
}
