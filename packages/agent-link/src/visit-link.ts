import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import {
  AgentError,
  type Answer,
  type JsonObject,
  Listeners,
  lockHolder,
  orElse,
  parseLockOwner,
} from '@robota-sdk/agent-core';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { createNonce, isProof, nonceIn, proofOf } from './handshake.ts';
import { JsonLines } from './json-lines.ts';
import type { LinkRecord } from './link-folder.ts';
import { areQuestions, isEvent, isFacts } from './link-lines.ts';
import type {
  AnswerOutcome,
  HandOverOutcome,
  LinkChange,
  LinkedFacts,
  LinkedSession,
  WaitingQuestion,
} from './linked-session.ts';
import { LiveFold } from './live-fold.ts';

/** A host may send the text of a long call in one event. */
const mostBytes = 32 * 1024 * 1024;
const connectMs = 5000;
const answerMs = 10_000;
/** How often it is looked whether a lock is gone. */
const lockMs = 20;
/** A host stops its run and closes its files first. */
const handOverMs = 60_000;

/** A session of another process, over its socket. */
export interface VisitedSession extends LinkedSession {
  close(): void;
}

/**
 * Connects to the process that holds a session. It is believed only if it knows the secret, and if it is the one whose lock is
 * on the session's file.
 */
export async function visitLink(record: LinkRecord, file: string): Promise<VisitedSession> {
  if (lockPid(file) !== record.owner.pid) throw new AgentError('session', 'The session is open elsewhere.');
  const socket = createConnection(record.socket);
  const visit = new Visit(socket, { ...record, file });
  try {
    await visit.ready;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
  return visit;
}

function lockPid(file: string): number | undefined {
  return orElse(() => parseLockOwner(readFileSync(`${file}.lock`, 'utf8'))?.pid, undefined);
}

class Visit implements VisitedSession {
  readonly sessionId: string;
  readonly holder: LinkedSession['holder'];
  readonly ready: Promise<void>;
  readonly #socket: Socket;
  readonly #lines: JsonLines;
  readonly #secret: string;
  readonly #file: string;
  readonly #nonce = createNonce();
  readonly #listeners = new Listeners<LinkChange>();
  readonly subscribe = this.#listeners.add;
  readonly #replies = new Map<number, (outcome: unknown) => void>();
  #fold = new LiveFold();
  #facts: LinkedFacts | undefined;
  #questions: readonly WaitingQuestion[] = [];
  #isProven = false;
  #isOver = false;
  #count = 0;
  #settle: { resolve(): void; reject(thrown: Error): void } = { resolve: () => {}, reject: () => {} };

  constructor(
    socket: Socket,
    { sessionId, owner, front, secret, file }: LinkRecord & { readonly file: string },
  ) {
    this.#socket = socket;
    this.#file = file;
    this.#secret = secret;
    this.sessionId = sessionId;
    this.holder = { front, pid: owner.pid };
    this.#lines = new JsonLines(socket, { mostBytes, take: (line) => this.#take(line) });
    this.ready = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const timer = setTimeout(() => socket.destroy(), connectMs);
    // A visit keeps the process alive only until it is let in.
    const settled = () => {
      clearTimeout(timer);
      socket.unref();
    };
    this.ready.then(settled, settled);
    socket.on('connect', () => this.#lines.send({ hello: this.#nonce }));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  facts(): LinkedFacts {
    if (this.#facts) return this.#facts;
    throw new AgentError('internal', 'The link is not ready.');
  }

  live(): readonly SessionEvent[] {
    return this.#fold.events();
  }

  questions(): readonly WaitingQuestion[] {
    return this.#questions;
  }

  async answer(request: {
    readonly id: string;
    readonly digest: string;
    readonly answer: Answer;
  }): Promise<AnswerOutcome> {
    const outcome = await this.#ask({ ask: 'answer', ...request }, answerMs);
    return (outcome as AnswerOutcome | undefined) ?? { isTaken: false, by: 'gone', text: '' };
  }

  async handOver({ stop }: { readonly stop: boolean }): Promise<HandOverOutcome> {
    const outcome = await this.#ask({ ask: 'hand-over', stop }, handOverMs);
    // It may end the link faster than its reply arrives.
    const reply = (outcome as HandOverOutcome | undefined) ?? { isFree: this.#isOver };
    if (!reply.isFree && 'why' in reply) return reply;
    if (reply.isFree && (await this.#isLockFree())) return { isFree: true };
    return { isFree: false, why: 'refused', text: 'The process that holds the session did not reply.' };
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The link may be over before the files are closed. */
  async #isLockFree(): Promise<boolean> {
    const deadline = Date.now() + answerMs;
    while (lockPid(this.#file) === this.holder.pid && lockHolder(this.#file) !== undefined) {
      if (Date.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, lockMs));
    }
    return true;
  }

  #ask(question: object, ms: number): Promise<unknown> {
    if (this.#isOver) return Promise.resolve(undefined);
    const n = ++this.#count;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), ms);
      const settle = (outcome: unknown) => {
        clearTimeout(timer);
        this.#replies.delete(n);
        resolve(outcome);
      };
      this.#replies.set(n, settle);
      this.#lines.send({ ...question, n });
    });
  }

  #take(line: JsonObject): void {
    if (!this.#isProven) return this.#prove(line);
    switch (line.tell) {
      case 'sync':
        return this.#sync(line);
      case 'event': {
        const { event } = line;
        if (!isEvent(event)) return this.#refuse();
        this.#fold.take(event);
        return this.#listeners.tell({ type: 'event', event });
      }
      case 'facts':
        if (!isFacts(line.facts)) return this.#refuse();
        this.#facts = line.facts;
        return this.#listeners.tell({ type: 'facts' });
      case 'questions':
        if (!areQuestions(line.questions)) return this.#refuse();
        this.#questions = line.questions;
        return this.#listeners.tell({ type: 'questions' });
      case 'reply':
        return this.#replies.get(Number(line.n))?.(line.outcome);
      case 'end':
        this.#socket.end();
        return this.#end();
    }
  }

  #prove({ hello, proof }: JsonObject): void {
    const theirs = nonceIn(hello);
    const nonces = { host: theirs ?? '', visitor: this.#nonce };
    if (theirs === undefined || !isProof(proof, proofOf(this.#secret, 'host', nonces)))
      return void this.#socket.destroy();
    this.#isProven = true;
    this.#lines.send({ proof: proofOf(this.#secret, 'visitor', nonces) });
  }

  /** Another version of Robota may say what this one does not understand. */
  #refuse(): void {
    this.#socket.destroy();
  }

  #sync({ facts, live, questions }: JsonObject): void {
    if (!isFacts(facts) || !areQuestions(questions) || !Array.isArray(live)) return this.#refuse();
    const isFirst = this.#facts === undefined;
    this.#facts = facts;
    this.#questions = questions;
    this.#fold = new LiveFold();
    for (const event of live) if (isEvent(event)) this.#fold.take(event);
    if (isFirst) this.#settle.resolve();
    else this.#listeners.tell({ type: 'gap' });
  }

  #end(): void {
    this.#settle.reject(new AgentError('session', 'The process that holds the session cannot be reached.'));
    if (this.#isOver) return;
    this.#isOver = true;
    this.#questions = [];
    this.#fold = new LiveFold();
    for (const settle of [...this.#replies.values()]) settle(undefined);
    this.#listeners.tell({ type: 'end' });
  }
}
