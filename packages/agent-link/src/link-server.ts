import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { atExit, instance, type JsonObject, object, text } from '@robota-sdk/agent-core';
import { createNonce, isProof, nonceIn, proofOf } from './handshake.ts';
import { JsonLines } from './json-lines.ts';
import type { LinkFolder } from './link-folder.ts';
import { isAnswer } from './link-lines.ts';
import type { LinkChange } from './linked-session.ts';
import type { SharedSession } from './shared-session.ts';

const mostVisitors = 16;
/** The longest line that a visitor may send: an answer with a long text. */
const mostBytes = 1024 * 1024;
/** A visitor that takes nothing gets no more events beyond this many bytes, and what is under way once it has caught up. */
const mostWaiting = 4 * 1024 * 1024;
/** An event that is longer than this is left out; its entry is in the file. */
const longestEvent = 8 * 1024 * 1024;
const handshakeMs = 5000;

/** Lets other processes of the user visit a session; resolves when they can. The returned function ends it. */
export async function serveLink(shared: SharedSession, folder: LinkFolder): Promise<() => void> {
  folder.prepare();
  const socket = folder.newSocket();
  const secret = randomBytes(32).toString('base64url');
  const visitors = new Set<Socket>();
  const server = createServer((connection) => {
    if (visitors.size >= mostVisitors) return void connection.destroy();
    visitors.add(connection);
    connection.on('close', () => visitors.delete(connection));
    welcome(connection, { shared, secret });
  });
  server.maxConnections = mostVisitors;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  // It never keeps the process alive.
  server.unref();
  server.on('error', () => {});
  if (process.platform !== 'win32') chmodSync(socket, 0o600);
  const withdraw = folder.announce({
    sessionId: shared.sessionId,
    front: shared.holder.front,
    socket,
    secret,
  });
  const forget = atExit(withdraw);
  const close = () => {
    forget();
    server.close();
    for (const visitor of visitors) visitor.end();
    withdraw();
  };
  const stop = shared.subscribe(({ type }) => {
    if (type === 'end') close();
  });
  return () => {
    stop();
    close();
  };
}

interface Visit {
  readonly shared: SharedSession;
  readonly secret: string;
}

function welcome(socket: Socket, { shared, secret }: Visit): void {
  let step: 'hello' | 'proof' | 'in' = 'hello';
  let expected = '';
  let visitor: Visitor | undefined;
  const timer = setTimeout(() => socket.destroy(), handshakeMs).unref();
  const lines: JsonLines = new JsonLines(socket, {
    mostBytes,
    take: (line) => {
      if (step === 'in') return visitor?.take(line);
      if (step === 'proof') {
        if (!isProof(line.proof, expected)) return void socket.destroy();
        clearTimeout(timer);
        step = 'in';
        visitor = new Visitor(socket, lines, shared);
        return;
      }
      const theirs = nonceIn(line.hello);
      if (theirs === undefined) return void socket.destroy();
      const nonces = { host: createNonce(), visitor: theirs };
      expected = proofOf(secret, 'visitor', nonces);
      step = 'proof';
      lines.send({ hello: nonces.host, proof: proofOf(secret, 'host', nonces) });
    },
  });
  socket.unref();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(timer);
    visitor?.close();
  });
}

/** The host's side of one visitor that was let in. */
class Visitor {
  readonly #socket: Socket;
  readonly #lines: JsonLines;
  readonly #shared: SharedSession;
  readonly #leave: () => void;
  /** Changes were dropped. */
  #isBehind = false;

  constructor(socket: Socket, lines: JsonLines, shared: SharedSession) {
    this.#socket = socket;
    this.#lines = lines;
    this.#shared = shared;
    this.#leave = shared.subscribe((change) => this.#tell(change));
    socket.on('drain', () => this.#catchUp());
    this.#sync();
  }

  take(line: JsonObject): void {
    void this.#handle(line).catch(() => this.#socket.destroy());
  }

  close(): void {
    this.#leave();
  }

  async #handle({ ask, n, id, digest, answer, stop }: JsonObject): Promise<void> {
    if (ask === 'answer') {
      const request = requestShape.parse({ id, digest, answer });
      if (!request) return void this.#socket.destroy();
      this.#lines.send({ tell: 'reply', n, outcome: await this.#shared.answer(request) });
    } else if (ask === 'hand-over') {
      this.#lines.send({
        tell: 'reply',
        n,
        outcome: await this.#shared.handOver({ stop: stop === true }),
      });
    } else this.#socket.destroy();
  }

  #tell(change: LinkChange): void {
    if (change.type === 'end') {
      this.#lines.send({ tell: 'end' });
      return;
    }
    if (this.#isBehind || this.#lines.waitingBytes > mostWaiting) {
      this.#isBehind = true;
      return;
    }
    if (change.type === 'event') {
      if (sizeOf(change.event) <= longestEvent) this.#lines.send({ tell: 'event', event: change.event });
    } else if (change.type === 'facts') this.#lines.send({ tell: 'facts', facts: this.#shared.facts() });
    else this.#lines.send({ tell: 'questions', questions: this.#shared.questions() });
  }

  #catchUp(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#sync();
  }

  #sync(): void {
    const { holder } = this.#shared;
    this.#lines.send({
      tell: 'sync',
      holder,
      facts: this.#shared.facts(),
      live: this.#shared.live(),
      questions: this.#shared.questions(),
    });
  }
}

/** Only calls carry long texts. */
function sizeOf(event: object): number {
  return 'call' in event ? JSON.stringify(event).length : 0;
}

const requestShape = object({ id: text, digest: text, answer: instance('an answer', isAnswer) });
