import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Lease } from '../contract/database.ts';
import type { StepContext, TaskChange, TaskSteps } from '../contract/steps.ts';
import {
  type AttemptRecord,
  queuedTask,
  type TaskDetails,
  type TaskReason,
  type TaskSpec,
} from '../contract/task.ts';
import { failureReason } from '../contract/task-failure.ts';
import { listedFacts } from '../database/task-rows.ts';
import { unknownPrice } from '../engine/budget.ts';
import { type RoundResult, type RoundStep, runRound, stepStates } from '../engine/round.ts';
import { newTaskId } from '../task/task-id.ts';
import { localSteps, type WorkerOptions } from './worker-services.ts';

export interface TaskHereOptions extends Pick<WorkerOptions, 'home' | 'env' | 'signal'> {
  /** Is called with the task after each change. */
  onChange?(task: TaskDetails): void;
  readonly steps?: TaskSteps;
}

/** Works on one task here and now: the same steps, without a queue, a database or other workers. */
export async function runTaskHere(spec: TaskSpec, options: TaskHereOptions): Promise<TaskDetails> {
  const run = new LocalRun(spec, options);
  await runRound({
    start: async () => ({
      result: await run.perform('prepare', 1),
      attempt: 1,
      lastAttempt: spec.attempts,
      keep: spec.keep,
      hasPassed: false,
    }),
    run: (step, attempt) => run.perform(step, attempt),
    end: (result, attempt) => run.end(result, attempt),
  });
  run.close();
  return run.task;
}

class LocalRun {
  readonly #options: TaskHereOptions;
  readonly #steps: TaskSteps;
  readonly #lease: Lease;
  readonly #attempts = new Map<number, AttemptRecord>();
  readonly #reserved = new Map<string, number>();
  /** Steps keep files open until then. */
  readonly #ended = new AbortController();
  #facts: TaskChange = {};
  task: TaskDetails;

  constructor(spec: TaskSpec, options: TaskHereOptions) {
    const now = new Date().toISOString();
    this.#options = options;
    this.#steps = options.steps ?? localSteps(options, { kind: 'files' });
    this.task = { ...queuedTask(newTaskId(), spec, now), startedAt: now };
    // Of epoch 0: no other process can take it.
    this.#lease = { taskId: this.task.id, worker: `${hostname()}-${process.pid}`, epoch: 0 };
  }

  async perform(step: RoundStep, attempt: number) {
    this.#change({ state: stepStates[step] });
    try {
      this.#options.signal.throwIfAborted();
      const result = await this.#steps[step](this.#context(attempt));
      return this.#options.signal.aborted ? ({ kind: 'stopped' } as const) : result;
    } catch (error) {
      return this.#options.signal.aborted
        ? ({ kind: 'stopped' } as const)
        : ({ kind: 'failed', reason: failureReason(error) } as const);
    }
  }

  async end(result: RoundResult, attempt: number): Promise<void> {
    if (result.kind === 'parked') {
      const question = result.question === undefined ? {} : { question: result.question };
      this.#change({ state: 'parked', reason: result.reason, ...question });
      return;
    }
    const receipt = await this.#steps.receipt(this.#context(attempt));
    const endedAt = new Date().toISOString();
    const stopped: TaskReason = { code: 'stopped-by-user', message: 'Stopped by the user.' };
    this.#change({
      ...(result.kind === 'next'
        ? { state: 'done' }
        : result.kind === 'failed'
          ? { state: 'failed', reason: result.reason }
          : { state: 'stopped', reason: stopped }),
      receipt,
      endedAt,
    });
  }

  close(): void {
    this.#ended.abort();
  }

  #change(change: Partial<TaskDetails>): void {
    this.task = { ...this.task, ...change, updatedAt: new Date().toISOString() };
    this.#options.onChange?.(this.task);
  }

  #context(attempt: number): StepContext {
    return {
      task: this.task,
      round: 1,
      attempt,
      lease: this.#lease,
      signal: AbortSignal.any([this.#options.signal, this.#ended.signal]),
      attempts: [...this.#attempts.values()],
      isTakeover: false,
      answers: [],
      facts: this.#facts,
      assertLease: async () => undefined,
      record: async (change) => this.#record(change),
      recordAttempt: async (change) => this.#recordAttempt(attempt, change),
      reserve: async (amount, model) =>
        (amount === undefined ? unknownPrice(model, [this.task.spec.maxCost]) : undefined) ??
        this.#reserve(amount ?? 0),
      settle: async (id, cost) => {
        this.#reserved.delete(id);
        this.#change({ cost: this.task.cost + cost });
      },
      useAnswer: async () => undefined,
      onMessage: () => undefined,
    };
  }

  #record(change: TaskChange): void {
    this.#facts = {
      ...this.#facts,
      ...change,
      notes: [...(this.#facts.notes ?? []), ...(change.notes ?? [])],
    };
    const { directory, ...facts } = this.#facts;
    this.#change({ ...listedFacts(facts), ...(directory === undefined ? {} : { directory }) });
  }

  #recordAttempt(number: number, change: Partial<AttemptRecord>): void {
    const before = this.#attempts.get(number) ?? {
      number,
      sessionId: '',
      state: 'running',
      cost: 0,
      turns: 0,
    };
    const record = { ...before, ...change, number };
    this.#attempts.set(number, record);
    const turns = [...this.#attempts.values()].reduce((sum, attempt) => sum + attempt.turns, 0);
    const session = record.sessionId === '' ? {} : { sessionId: record.sessionId };
    this.#change({ turns, attempts: this.#attempts.size, ...session });
  }

  /** Agents beside the first may wait for each other's calls; here a call passes the limit only if it is the first to. */
  #reserve(amount: number) {
    const { maxCost } = this.task.spec;
    const reserved = [...this.#reserved.values()].reduce((sum, value) => sum + value, 0);
    if (
      maxCost !== undefined &&
      (this.task.cost >= maxCost || (reserved > 0 && this.task.cost + reserved >= maxCost))
    ) {
      const reason: TaskReason = { code: 'budget', message: `The task has used its $${maxCost.toFixed(2)}.` };
      return { kind: 'refused', reason } as const;
    }
    const id = randomUUID();
    this.#reserved.set(id, amount);
    return { kind: 'reserved', id } as const;
  }
}
