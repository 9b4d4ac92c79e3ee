import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Connection, eventsOf, type ModelEvent, type ModelFailure } from '@robota-sdk/agent-core';
import {
  anthropicChunks,
  anthropicError,
  anthropicErrorEvent,
  anthropicReply,
  type Chunk,
  collectEvents,
  eventStream,
  type Reply,
} from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { type AnthropicHarness, requestOf } from './anthropic-harness.ts';

interface FaultCase {
  readonly id: string;
  readonly fault: Readonly<Record<string, unknown>>;
}

const fixtures = new URL('../../agent-testing/fixtures/', import.meta.url);
const cases = JSON.parse(
  readFileSync(new URL('stream-faults.json', fixtures), 'utf8'),
) as readonly FaultCase[];
const faultOf = (id: string) => cases.find((one) => one.id === id)?.fault ?? {};

/** Everything that may go wrong with an answer of the Messages API. */
export function streamFaultSuite(harness: AnthropicHarness): void {
  const { connect } = harness;
  const run = (connection: Partial<Connection> = {}) =>
    collectEvents(connect(connection).stream(requestOf()));
  const play = (reply: Reply, connection: Partial<Connection> = {}) => {
    harness.server.reply(reply);
    return run(connection);
  };

  function failureOf(events: readonly ModelEvent[]): ModelFailure {
    const last = events.at(-1);
    if (last?.type !== 'error') throw new Error(`expected an error, got ${JSON.stringify(last)}`);
    return last.failure;
  }

  const textOf = (events: readonly ModelEvent[]) =>
    events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

  const chunks = anthropicChunks({ text: ['one ', 'two ', 'three'], usage: { input: 9 } });
  /** Up to and with the delta of "two ". */
  const half = chunks.slice(0, 5);

  it.each([
    ['stream-001', 'rate-limit', true],
    ['stream-003', 'rate-limit', true],
    ['stream-005', 'overloaded', true],
    ['stream-007', 'server', true],
    ['stream-009', 'context-overflow', false],
    ['stream-011', 'model-not-found', false],
  ])('%s is known as %s', async (...[id, code, retryable]) => {
    const { status, headers, body } = faultOf(id) as {
      status: number;
      headers?: Record<string, string>;
      body?: string;
    };
    const failure = failureOf(await play(anthropicError(status, body ?? 'no', { headers: headers ?? {} })));
    expect(failure).toMatchObject({ code, retryable, status });
    expect(failure.retryAfterMs).toBe(headers ? Number(headers['retry-after']) * 1_000 : undefined);
    if (id === 'stream-011') expect(failure.message).toContain('claude-test');
  });

  it('stream-013 a login page of the network is not an answer', async () => {
    const { status, contentType } = faultOf('stream-013') as { status: number; contentType: string };
    const page = { status, headers: { 'content-type': contentType }, chunks: ['<html>Sign in</html>'] };
    const failure = failureOf(await play(page));
    expect(failure).toMatchObject({ code: 'not-event-stream', retryable: false });
    expect(failure.message).toContain('Sign in');
  });

  it('stream-015 an error after partial text keeps the text, ends the block and says what was used', async () => {
    const events = await play(eventStream([...half, anthropicErrorEvent('overloaded_error', 'Overloaded')]));
    expect(textOf(events)).toBe('one two ');
    expect(events.slice(-2)).toEqual([
      { type: 'text-end', index: 0 },
      {
        type: 'error',
        failure: expect.objectContaining({ code: 'overloaded', retryable: true }),
        usage: { input: 9, output: 1, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
  });

  it('stream-017 a reset connection may be tried again, and says nothing twice', async () => {
    const events = await play(eventStream([...half, { reset: true }]));
    expect(failureOf(events)).toMatchObject({ code: 'network', retryable: true });
    expect(textOf(events)).toBe('one two ');
  });

  it('a stream that closes early is incomplete, wherever it is cut', async () => {
    for (let count = 0; count < chunks.length - 2; count++) {
      const failure = failureOf(await play(eventStream(chunks.slice(0, count))));
      expect(failure).toMatchObject({ code: 'network', retryable: true });
    }
    const bytes = Buffer.from(chunks.join(''));
    const torn = failureOf(await play(eventStream([bytes.subarray(0, Math.floor(bytes.length / 2))])));
    expect(torn.retryable).toBe(true);
  });

  it('a missing message_stop is forgiven once the stop reason is known and no block is open', async () => {
    const events = await play(eventStream(chunks.slice(0, -1)));
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    const open = [...half, ...chunks.slice(-2, -1)];
    expect(failureOf(await play(eventStream(open)))).toMatchObject({ code: 'network', retryable: true });
  });

  it('stream-019 silence is given up after the configured time', async () => {
    const connection = { idleTimeoutMs: 80 };
    const failure = failureOf(await play(eventStream([...half, { hang: true }]), connection));
    expect(failure).toMatchObject({ code: 'stalled', retryable: true });
    const before = failureOf(await play(eventStream([], { delayMs: 400 }), connection));
    expect(before).toMatchObject({ code: 'stalled', retryable: true });
  });

  it('stream-021 pings keep it waiting', async () => {
    const ping = chunks[1] ?? '';
    const pings: Chunk[] = Array.from({ length: 10 }, () => [{ pauseMs: 50 }, ping]).flat();
    const events = await play(eventStream([...half, ...pings, ...chunks.slice(5)]), { idleTimeoutMs: 350 });
    expect(textOf(events)).toBe('one two three');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('stream-021 pings and comments alone do not keep it waiting for ever', async () => {
    const ping = chunks[1] ?? '';
    for (const alive of [ping, ': still here\n\n']) {
      const pings: Chunk[] = Array.from({ length: 400 }, () => [{ pauseMs: 10 }, alive]).flat();
      const events = await play(eventStream([...half, ...pings]), { idleTimeoutMs: 100 });
      expect(failureOf(events)).toMatchObject({ code: 'stalled', retryable: false });
    }
  });

  it('stream-043 a compressed bomb is cut off', async () => {
    const delta = (text: string) =>
      `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`;
    const start = gzipSync(half.join(''));
    const flood = gzipSync(delta('x'.repeat(10_000)).repeat(100));
    const bomb = Buffer.concat([start, ...Array<Uint8Array>(160).fill(flood)]);
    harness.server.reply(eventStream([bomb], { headers: { 'content-encoding': 'gzip' } }));
    let last: ModelEvent | undefined;
    for await (const event of eventsOf(connect().stream(requestOf()))) last = event;
    expect(failureOf(last ? [last] : [])).toMatchObject({ code: 'protocol', retryable: false });
  });

  it('a compressed answer is read like any other', async () => {
    const zipped = gzipSync(chunks.join(''));
    expect(await play(eventStream([zipped], { headers: { 'content-encoding': 'gzip' } }))).toEqual(
      await play(eventStream(chunks)),
    );
  });

  // These are about an address that the user gives; that of a cloud follows from the account.
  if (harness.wire.isDirect)
    it('stream-045 a plain http base URL is refused, loopback is not', async () => {
      const { baseURL } = faultOf('stream-045') as { baseURL: string };
      const failure = failureOf(await run({ baseUrl: baseURL }));
      expect(failure).toMatchObject({ code: 'refused-url', retryable: false });
      expect(failure.message).toContain('unencrypted');
      expect((await play(anthropicReply({ text: 'x' }))).at(-1)).toMatchObject({ type: 'end' });
    });

  // These are about an address that the user gives; that of a cloud follows from the account.
  if (harness.wire.isDirect)
    it('stream-047 an untrusted certificate is never retried', async () => {
      const pem = (name: string) => readFileSync(new URL(name, fixtures));
      const https = createServer({ key: pem('self-signed-key.pem'), cert: pem('self-signed-cert.pem') });
      await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
      const failure = failureOf(
        await run({ baseUrl: `https://127.0.0.1:${(https.address() as AddressInfo).port}` }),
      );
      https.close();
      expect(failure).toMatchObject({ code: 'certificate', retryable: false });
      expect(failure.message).toContain('NODE_EXTRA_CA_CERTS');
    });

  it('a damaged event is a failure, not a guess', async () => {
    const events = await play(
      eventStream([...half, 'event: content_block_delta\ndata: {"type":"content_b\n\n']),
    );
    expect(failureOf(events)).toMatchObject({ code: 'protocol', retryable: true });
  });
}
