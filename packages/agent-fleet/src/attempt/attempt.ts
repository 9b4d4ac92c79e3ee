import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AgentError,
  errorMessage,
  formatDuration,
  homeDirectory,
  type PermissionMode,
  pluralize,
  robotaDirectories,
  startTimer,
  type ToolCallContent,
  tellingArgument,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import type {
  IExecutionResult,
  InteractiveSession,
  SessionHandle,
  SessionStorePort,
} from '@robota-sdk/agent-sdk/front-end';
import type { AttemptOrder, WorkOutcome } from '../contract/attempt.ts';
import type { TaskQuestion, TaskSpec } from '../contract/task.ts';
import { AttemptJournal } from './attempt-journal.ts';
import { AttemptQuestions } from './attempt-questions.ts';
import { MeteredModels } from './metered-models.ts';
import { callRecovery } from './resolve-calls.ts';
import { workReason } from './work-reason.ts';
import type { WorkerChannel } from './worker-channel.ts';

/** The reason of an abort, as it is told to the run. */
type Stop = 'time' | 'stopped-by-user';

/** The work of one process on an attempt: opens its session, resumes what a crash left, and runs it to an outcome. */
export class Attempt {
  readonly #order: AttemptOrder;
  readonly #channel: WorkerChannel;
  readonly #notes: string[] = [];
  readonly #stop = new AbortController();
  readonly #unsaid: string[] = [];
  #session: InteractiveSession | undefined;
  #turns = 0;
  #hasChanged = false;
  /** The last snapshot, which is taken while the model answers; the next change of files waits for it. */
  #snapshot: Promise<void> = Promise.resolve();

  constructor(order: AttemptOrder, channel: WorkerChannel) {
    this.#order = order;
    this.#channel = channel;
  }

  /** Gives the model a message of the user with its next turn. */
  say(text: string): void {
    if (this.#session) this.#session.steer([{ type: 'text', text }]);
    else this.#unsaid.push(text);
  }

  stop(reason: Stop = 'stopped-by-user'): void {
    this.#stop.abort(reason);
  }

  /** Never rejects. The process has to end afterwards: a parked run still hangs in its question. */
  async run(): Promise<WorkOutcome> {
    try {
      const handle = await openSession(this.#order);
      return await new Promise<WorkOutcome>((resolve, reject) => {
        const park = (question: TaskQuestion) =>
          this.#park(handle, question).then(resolve, reject) as Promise<never>;
        this.#work(handle, park).then(resolve, reject);
      });
    } catch (thrown) {
      return this.#failed('internal', errorMessage(thrown));
    }
  }

  /** Leaves the session as it is: the call waits for the answer of the user. */
  async #park(handle: SessionHandle, question: TaskQuestion): Promise<WorkOutcome> {
    await this.#snapshot;
    await handle.flush();
    await handle.close();
    const message = `Waits for an answer: ${question.text}`;
    return { kind: 'parked', reason: { code: 'question', message }, question, ...this.#facts() };
  }

  async #work(handle: SessionHandle, park: (question: TaskQuestion) => Promise<never>): Promise<WorkOutcome> {
    const { spec, notes, lease } = this.#order;
    const isFirst = [...handle.promptIds].length === 0;
    this.#turns = turnsOf(handle);
    const journal = new AttemptJournal(handle);
    const meter = this.#meter(journal, () => questions);
    const hang = async (question: TaskQuestion): Promise<never> => {
      void park(question);
      return new Promise<never>(() => {});
    };
    const questions = new AttemptQuestions({ order: this.#order, journal, park: hang, ...this.#services() });
    const session = await this.#open(handle, { journal, meter, questions });
    this.#session = session;
    this.#follow(session);
    try {
      const limit = this.#limit();
      if (limit) return limit;
      await journal.begin(lease.epoch, spec.repo);
      if (isFirst) await session.branches.setName(spec.name);
      const { workedMs = 0 } = this.#order;
      const clock =
        spec.maxTimeMs === undefined
          ? undefined
          : startTimer(Math.max(0, spec.maxTimeMs - workedMs), () => this.stop('time'));
      const { text, ...manner } = isFirst ? taskPrompt(spec, notes) : continuation(notes);
      const options = { signal: this.#stop.signal, ...this.#turnLimit(), ...manner };
      const result = await session.submit(text, options);
      clock?.cancel();
      return this.#outcome(result, meter);
    } finally {
      await this.#snapshot.catch(() => {});
      await session.shutdown();
    }
  }

  #meter(journal: AttemptJournal, questions: () => AttemptQuestions): MeteredModels {
    return new MeteredModels({
      beforeCall: async () => {
        for (const hash of questions().takeUsed()) this.#channel.answerUsed(hash);
        if (!this.#hasChanged) return;
        this.#hasChanged = false;
        this.#snapshot = this.#snapshot.then(async () => journal.snapshot(await this.#channel.snapshot()));
        // The call that waits for it fails with it.
        this.#snapshot.catch(() => {});
      },
      reserve: (amount, model) => this.#channel.reserve(amount, model),
      settle: (id, cost) => this.#channel.settle(id, cost),
    });
  }

  async #open(
    handle: SessionHandle,
    {
      journal,
      meter,
      questions,
    }: {
      readonly journal: AttemptJournal;
      readonly meter: MeteredModels;
      readonly questions: AttemptQuestions;
    },
  ): Promise<InteractiveSession> {
    const { spec, directory, readable = [] } = this.#order;
    const { mode = 'acceptEdits', ...rules } = spec.permissions;
    const permissionMode: PermissionMode = mode;
    const { createInteractiveSession } = await import('@robota-sdk/agent-sdk/front-end');
    return createInteractiveSession({
      cwd: directory,
      // Settings and hooks of the repository count as far as the user trusts them where they work themselves.
      ...(isAbsolute(spec.repo) && existsSync(spec.repo) ? { project: spec.repo } : {}),
      handle,
      rules,
      permissionMode,
      sandbox: { mode: spec.sandbox ? 'required' : 'off', readable },
      builtInCommands: false,
      // The task is parked instead, and the worker is free for others.
      waitForLimit: 'never',
      terminal: questions,
      authorize: questions.judge,
      tap: meter.tap,
      recovery: callRecovery({
        journal,
        ...this.#services(),
        beforeChange: async () => {
          await this.#snapshot;
          this.#hasChanged = true;
        },
        difference: (tree) => this.#channel.difference(tree),
      }),
      ...(spec.model === undefined ? {} : { model: spec.model }),
      ...(spec.check === undefined ? {} : { appendSystemPrompt: checkNote(spec.check) }),
    });
  }

  #services() {
    return {
      keyOf: (call: ToolCallContent) => this.#keyOf(call),
      note: (text: string) => void this.#notes.push(this.#redact(text)),
      redact: (text: string) => this.#redact(text),
    };
  }

  #redact(text: string): string {
    return this.#session?.redact(text) ?? text;
  }

  /** Vendors may use the id of a call again later, so the message that made it belongs to its name. */
  #keyOf({ id, name }: ToolCallContent): string | undefined {
    const answer = this.#session?.getMessages().findLast(({ role }) => role === 'assistant');
    if (answer?.role !== 'assistant') return undefined;
    const made = toolCallsOf(answer).find((call) => call.id === id);
    // An agent numbers its calls by itself.
    if (!made || (made.name === 'Agent' && name !== 'Agent')) return undefined;
    return `${answer.id}/${id}`;
  }

  #follow(session: InteractiveSession): void {
    const tell = (activity: string) =>
      this.#channel.progress({ turns: this.#turns, cost: session.totals.cost, activity });
    session.subscribe((event) => {
      if (event.type === 'turn-start') tell('waiting for the model');
      if (event.type === 'tool-start') {
        const argument = this.#redact(tellingArgument(event.call)).slice(0, 200);
        tell(`${event.call.name}(${argument})`);
      }
      if (event.type === 'message-append' && event.message.role === 'assistant') this.#turns++;
    });
    for (const text of this.#unsaid.splice(0)) this.say(text);
  }

  #turnLimit(): { readonly maxTurns?: number } {
    const { maxTurns } = this.#order.spec;
    return maxTurns === undefined ? {} : { maxTurns: maxTurns - this.#turns };
  }

  #limit(): WorkOutcome | undefined {
    const { maxTurns } = this.#order.spec;
    if (maxTurns === undefined || this.#turns < maxTurns) return undefined;
    return this.#failed('turns', `Stopped after ${pluralize(maxTurns, 'turn')}, the limit of the task.`);
  }

  #outcome(result: IExecutionResult | undefined, meter: MeteredModels): WorkOutcome {
    if (result?.status === 'completed')
      return { kind: 'finished', answer: result.response, ...this.#facts() };
    if (result?.status === 'aborted' && this.#stop.signal.reason === 'time')
      return this.#failed(
        'time',
        `Stopped after ${formatDuration(this.#order.spec.maxTimeMs ?? 0)}, the limit of the task.`,
      );
    if (!result || result.status === 'aborted') return this.#failed('stopped-by-user', 'Stopped.');
    const { isParked, ...reason } = workReason(result, meter);
    return { kind: isParked ? 'parked' : 'failed', reason, ...this.#facts() };
  }

  #failed(code: 'internal' | 'time' | 'turns' | 'stopped-by-user', message: string): WorkOutcome {
    return { kind: 'failed', reason: { code, message: this.#redact(message) }, ...this.#facts() };
  }

  /** Of the whole attempt, earlier processes included. */
  #facts() {
    const cost = this.#session?.totals.cost ?? 0;
    return { cost, turns: this.#turns, notes: [...this.#notes] };
  }
}

/** The first message of an attempt: the task. Text from outside is marked in it already. */
function taskPrompt({ prompt }: TaskSpec, notes: readonly string[]): Prompt {
  if (notes.length === 0) return { text: prompt };
  const note = notes.join('\n\n');
  return { text: `${prompt}\n\n${reminder(note)}`, shown: `${prompt}\n\n${note}` };
}

/** Text for the model, and as its reader sees it where that differs. */
interface Prompt {
  readonly text: string;
  readonly shown?: string;
}

/** The message of a later round: what has happened meanwhile. */
function continuation(notes: readonly string[]): Prompt {
  const restarted = 'The process that worked on this task ended and was started again. Continue the task.';
  const shown = notes.length === 0 ? restarted : notes.join('\n\n');
  return { text: reminder(shown), shown };
}

/** Words of the fleet, not of the user. */
function reminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

function checkNote(check: string): string {
  return `When you are done, this command has to pass; run it before you end:\n${check}`;
}

/** The session of an attempt, resumed or made. */
async function openSession(order: AttemptOrder): Promise<SessionHandle> {
  const store = await storeOf(order);
  const { sessionId: id, directory: cwd } = order;
  for (let tries = 0; ; tries++) {
    try {
      return (await store.has(id)) ? await store.open(id) : await store.create({ id, cwd });
    } catch (thrown) {
      // The process of an earlier worker ends within a second.
      if (!AgentError.is(thrown) || thrown.code !== 'session-in-use' || tries >= mostTries) throw thrown;
      await sleep(retryMs);
    }
  }
}

const mostTries = 50;
const retryMs = 200;

async function storeOf({ sessions, lease }: AttemptOrder): Promise<SessionStorePort> {
  if (sessions.kind === 'files') {
    const { ownSessions } = await import('@robota-sdk/agent-sdk/front-end');
    return ownSessions();
  }
  const { openSessionStore } = await import('../session-store/open-session-store.ts');
  const { data } = robotaDirectories({ env: process.env, home: homeDirectory() });
  return openSessionStore(sessions.url, { lease, files: join(data, 'fleet', 'session-files') });
}

function turnsOf(handle: SessionHandle): number {
  let turns = 0;
  for (const entry of handle.backwards('message'))
    if (entry.type === 'message' && entry.message.role === 'assistant') turns++;
  return turns;
}
