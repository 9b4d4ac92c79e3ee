import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  describeExit,
  errorMessage,
  homeDirectory,
  nodeForFiles,
  robotaDirectories,
  signalGroup,
  textRedactor,
} from '@robota-sdk/agent-core';
import type {
  AttemptHandlers,
  AttemptOrder,
  AttemptProcess,
  AttemptRunner,
  FromAttempt,
  ToAttempt,
  WorkOutcome,
} from '../contract/attempt.ts';
import { attemptEnvironment, folderVariables, secretVariables } from './attempt-environment.ts';

export interface AttemptRunnerOptions {
  /** `$ROBOTA_HOME`; logs are in `fleet/logs` of it. */
  readonly home: string;
  /** The environment of the worker; secrets other than keys of models are taken out of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How often a process that was killed is started again, to resume its session; twice unless given. */
  readonly restarts?: number;
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
  readonly #options: AttemptRunnerOptions;
  readonly #handlers: AttemptHandlers;
  /** Reports that are being recorded. */
  readonly #working = new Set<Promise<void>>();
  /** Dollars of calls that are under way, by their reservations. */
  readonly #reserved = new Map<string, number>();
  /** Settled before the next call is paid for. */
  #settling: Promise<unknown> = Promise.resolve();
  #child: ChildProcess;
  #end: WorkOutcome | undefined;
  #isStopped = false;

  constructor(order: AttemptOrder, handlers: AttemptHandlers, options: AttemptRunnerOptions) {
    this.#handlers = handlers;
    this.#options = options;
    this.#child = this.#launch(order);
    this.outcome = this.#run(order);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  say(text: string): void {
    this.#send({ type: 'say', text });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => this.#kill(), graceMs);
    await this.outcome;
    clearTimeout(timer);
  }

  /** A process that was killed is followed by another one, which resumes its session; but not without end. */
  async #run(order: AttemptOrder): Promise<WorkOutcome> {
    const { restarts = 2 } = this.#options;
    for (let restart = 0; ; restart++) {
      const how = await exitOf(this.#child);
      await Promise.all(this.#working);
      // A lost call may have been paid for.
      for (const [id, amount] of [...this.#reserved]) await this.#settle(id, amount).catch(() => {});
      if (this.#end) return this.#end;
      if (this.#isStopped || restart >= restarts) {
        const message = `The process of the attempt ended early: ${how}`;
        return { kind: 'failed', reason: { code: 'internal', message }, cost: 0, turns: 0 };
      }
      const note = `The process that worked on this task ended (${how}) and was started again. Continue the task.`;
      this.#child = this.#launch({ ...order, notes: [...order.notes, note] });
    }
  }

  #launch(order: AttemptOrder): ChildProcess {
    const { home, env } = this.#options;
    const folders = folderVariables(env, home);
    const { cache } = robotaDirectories({ env: { ...env, ...folders }, home: homeDirectory() });
    const child = fork(program, [join(cache, 'code-attempt')], {
      cwd: order.directory,
      env: { ...attemptEnvironment(env, home), ...folders },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A group of its own, so that a signal to the worker's terminal does not reach it.
      detached: true,
      execPath: nodeForFiles('An attempt'),
      execArgv: [],
    });
    keepLog(child, order, { home, secrets: Object.values(secretVariables(env, home)) });
    child.on('message', (message: FromAttempt) => {
      const answered = this.#receive(message, child).finally(() => this.#working.delete(answered));
      // A process that is gone needs no answers.
      if (!('request' in message)) this.#working.add(answered);
    });
    if (child.connected) child.send(order, () => {});
    return child;
  }

  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    signalGroup({ pid, isReaped: false }, 'SIGKILL');
  }

  async #settle(id: string, cost: number): Promise<void> {
    this.#reserved.delete(id);
    const settled = this.#handlers.settle(id, cost);
    this.#settling = Promise.allSettled([this.#settling, settled]);
    await settled;
  }

  async #receive(message: FromAttempt, child: ChildProcess): Promise<void> {
    try {
      const reply = await this.#answer(message);
      if (reply?.type === 'reserved' && !child.connected) await this.#settle(reply.id, 0);
      else if (reply && child === this.#child) this.#send(reply);
    } catch {
      // The lease is lost, or the database is gone: nothing more may happen.
      this.#isStopped = true;
      this.#kill();
    }
  }

  async #answer(message: FromAttempt): Promise<ToAttempt | undefined> {
    const handlers = this.#handlers;
    switch (message.type) {
      case 'reserve': {
        const { request, amount, model } = message;
        await this.#settling;
        const reserved = await handlers.reserve(amount, model);
        if (reserved.kind === 'refused') return { type: 'refused', request, reason: reserved.reason };
        this.#reserved.set(reserved.id, amount ?? 0);
        return { type: 'reserved', request, id: reserved.id };
      }
      case 'settle':
        await this.#settle(message.id, message.cost);
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
        setTimeout(() => this.#kill(), graceMs).unref();
        return undefined;
    }
  }

  #send(message: ToAttempt): void {
    // A process that has just ended takes no more messages; its exit tells so.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

/** How a process ended, in words; its last messages have come by then. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const how = describeExit({ code, signal });
      if (child.connected) child.once('disconnect', () => resolve(how));
      else resolve(how);
    });
    child.once('error', (error) => resolve(errorMessage(error)));
  });
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
