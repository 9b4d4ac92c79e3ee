import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssistantMessage, createMessage, createRedactor, type Message } from '@robota-sdk/agent-core';
import { type LinkChange, type LinkedSession, LiveFold } from '@robota-sdk/agent-link';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { encodeLine, formatVersion, watchPath } from '@robota-sdk/agent-sessions';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../contract/stream.ts';
import { type FollowedSession, SessionFeed } from './session-feed.ts';
import { SessionIndex } from './session-index.ts';
import { streamSession } from './session-stream.ts';

type Line = Parameters<typeof encodeLine>[0];

const timestamp = '2026-11-16T10:00:00.000Z';
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const model = { vendor: 'test', id: 'scripted', api: 'openai' } as const;
const redact = createRedactor();

function user(text: string): Message {
  return createMessage({ role: 'user', content: [{ type: 'text', text }] }, null);
}

function answer(text: string): AssistantMessage {
  const content = [{ type: 'text' as const, text }];
  return createMessage({ role: 'assistant', content, model, usage, cost: 0, stopReason: 'end' }, null);
}

/** Lines of a session: messages, facts and damaged text between them. */
const anyLines = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.string({ maxLength: 20 }).map((text) => ({ kind: 'message' as const, text })),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => ({ kind: 'name' as const, text })) },
      { weight: 1, arbitrary: fc.constant({ kind: 'leaf' as const, text: '' }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'damage' as const, text: '{"type":' }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => {
    let parentId: string | null = null;
    return parts.map(({ kind, text }, at) => {
      const id = at.toString(16).padStart(8, '0');
      const base = { id, parentId, timestamp };
      if (kind === 'damage') return { text: `${text}\n`, id: undefined };
      parentId = id;
      const line: Line =
        kind === 'message'
          ? { kind: 'entry', entry: { ...base, type: 'message', message: user(text) } }
          : kind === 'name'
            ? { kind: 'fact', fact: { ...base, type: 'session_info', name: text } }
            : { kind: 'fact', fact: { ...base, type: 'leaf', targetId: null } };
      return { text: encodeLine(line), id };
    });
  });

const header = encodeLine({
  kind: 'header',
  header: { id: 's', version: formatVersion, timestamp, cwd: '/project', writer: 'robota' },
});

/** A session on disk, with a link that a test drives. */
async function makeStreamed() {
  const file = join(await temporaryDirectory('robota-stream'), 'session.jsonl');
  await writeFile(file, header);
  const index = new SessionIndex(file);
  const fold = new LiveFold();
  const listeners = new Set<(change: LinkChange) => void>();
  let linked: LinkedSession | undefined;
  const followed: FollowedSession = {
    redact,
    index: async () => {
      await index.refresh();
      return index;
    },
    state: async () => Promise.reject(new Error('not needed')),
    linked: () => linked,
    watchFile: (listener) => watchPath(file, listener),
    watchLink: () => () => {},
  };
  return {
    file,
    followed,
    session: new SessionFeed(followed),
    link: () => {
      linked = {
        live: () => fold.events(),
        subscribe: (listener: (change: LinkChange) => void) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      } as unknown as LinkedSession;
    },
    tell: (event: SessionEvent) => {
      fold.take(event);
      for (const listener of listeners) listener({ type: 'event', event });
    },
    append: (...messages: readonly Message[]) => {
      const lines = messages.map((message) => {
        const id = message.id.slice(0, 8);
        return encodeLine({
          kind: 'entry',
          entry: { id, parentId: null, timestamp, type: 'message', message },
        });
      });
      return appendFile(file, lines.join(''));
    },
  };
}

/** Takes events until one fits, then lets go. */
async function take(
  session: SessionFeed,
  lastId: string | undefined,
  isEnough: (events: readonly StreamEvent[]) => boolean,
): Promise<StreamEvent[]> {
  const controller = new AbortController();
  const events: StreamEvent[] = [];
  if (isEnough(events)) return events;
  for await (const event of streamSession(session, { lastId, signal: controller.signal })) {
    events.push(event);
    if (isEnough(events)) break;
  }
  controller.abort();
  return events;
}

const idsOf = (events: readonly StreamEvent[]) => events.flatMap((event) => ('id' in event ? event.id : []));

describe('a stream that is cut and resumed', () => {
  it('gives every line once, in order, wherever and however often it is cut', async () => {
    const { file, followed } = await makeStreamed();
    const run = async (
      lines: readonly { text: string; id: string | undefined }[],
      cuts: readonly number[],
    ) => {
      await writeFile(file, header);
      const index = new SessionIndex(file);
      const cut = new SessionFeed({ ...followed, index: async () => index.refresh().then(() => index) });
      const all = lines.flatMap(({ id }) => id ?? []);
      const received: string[] = [];
      let written = 0;
      for (const cutAt of [...cuts, all.length]) {
        // The file grows between streams, by pieces that need not be whole lines.
        const upTo = Math.max(written, Math.min(lines.length, cutAt));
        const text = lines
          .slice(written, upTo)
          .map((line) => line.text)
          .join('');
        await appendFile(file, text.slice(0, text.length / 2));
        const writing = appendFile(file, text.slice(text.length / 2));
        written = upTo;
        const known = lines.slice(0, upTo).flatMap(({ id }) => id ?? []).length;
        const wanted = Math.min(known, Math.max(received.length, cutAt));
        const events = await take(cut, received.at(-1), (so) => idsOf(so).length + received.length >= wanted);
        await writing;
        received.push(...idsOf(events));
      }
      expect(received).toEqual(all);
    };
    await fc.assert(
      fc.asyncProperty(anyLines, fc.array(fc.nat(40), { maxLength: 6 }), async (lines, cuts) => {
        const sorted = [...cuts].sort((a, b) => a - b);
        const last = lines.length;
        await run(lines, [...sorted, last]);
      }),
      { numRuns: 40 },
    );
  });

  it('asks for a new start where the last line is not in the file', async () => {
    const { session } = await makeStreamed();
    expect(await take(session, 'ffffffff', () => false)).toEqual([{ type: 'reset' }]);
  });
});

describe('a stream of a session that runs', () => {
  it('begins with the entries and what is under way, and puts each entry instead of its events, also of one that is read early', async () => {
    const { session, tell, append, link } = await makeStreamed();
    link();
    const [asked, first, second] = [user('Fix it'), answer('First one. '), answer('Second. ')];
    await append(asked);
    tell({ type: 'run-start', model });
    tell({ type: 'turn-start', turn: 1, model });
    tell({ type: 'text-delta', text: 'Fir' });
    tell({ type: 'text-delta', text: 'st o' });
    let isTold = false;
    const events = await take(session, undefined, (so) => {
      if (so.some(({ type }) => type === 'live') && !isTold) {
        isTold = true;
        tell({ type: 'text-delta', text: 'ne. ' });
        // The event comes before the line is written, and the next turn right after it.
        tell({ type: 'message-append', message: { ...first, content: [] } });
        tell({ type: 'turn-start', turn: 2, model });
        tell({ type: 'text-delta', text: 'Second. ' });
        void append(first, second).then(() =>
          tell({ type: 'message-append', message: { ...second, content: [] } }),
        );
      }
      return idsOf(so).length === 3;
    });
    const told = events.map((event) => {
      if (event.type === 'entry')
        return event.entry.kind === 'answer' ? event.entry.blocks : event.entry.kind;
      if (event.type === 'live') return event.events.map((each) => ('text' in each ? each.text : each.type));
      return event.type === 'event'
        ? 'text' in event.event
          ? event.event.text
          : event.event.type
        : event.type;
    });
    expect(told).toEqual([
      'prompt',
      ['run-start', 'turn-start', 'First '],
      'one. ',
      [{ type: 'text', text: 'First one. ' }],
      'turn-start',
      'Second. ',
      [{ type: 'text', text: 'Second. ' }],
    ]);
  });

  it('replaces what is live where an entry was faster than its event', async () => {
    const { session, tell, append, link } = await makeStreamed();
    link();
    tell({ type: 'run-start', model });
    tell({ type: 'text-delta', text: 'Late' });
    const late = answer('Late');
    let step = 0;
    const events = await take(session, undefined, (so) => {
      const types = so.map(({ type }) => type);
      if (types.includes('live') && step === 0) {
        step = 1;
        void append(late);
      }
      if (types.includes('entry') && step === 1) {
        step = 2;
        tell({ type: 'message-append', message: { ...late, content: [] } });
      }
      return types.filter((type) => type === 'live').length === 2;
    });
    expect(events.map(({ type }) => type)).toEqual(['live', 'entry', 'live']);
    expect(events.at(-1)).toEqual({ type: 'live', events: [{ type: 'run-start', model }] });
  });

  it('gives a slow reader what is under way instead of a growing queue', async () => {
    const { session, tell, link } = await makeStreamed();
    link();
    tell({ type: 'run-start', model });
    let isTold = false;
    const events = await take(session, undefined, (so) => {
      const lives = so.filter(({ type }) => type === 'live');
      if (lives.length === 1 && !isTold) {
        isTold = true;
        for (let at = 0; at < 5000; at++) tell({ type: 'text-delta', text: 'x ' });
      }
      return lives.length === 2;
    });
    expect(events).toHaveLength(2);
    expect(events.at(-1)).toEqual({
      type: 'live',
      events: [
        { type: 'run-start', model },
        { type: 'text-delta', text: 'x '.repeat(5000) },
      ],
    });
  });
});

describe('a secret that comes in pieces', () => {
  const secret = `sk-ant-${'a1'.repeat(12)}`;
  const whole = `Use ${secret}, or password: hunter2swift and go. `;
  const hidden = 'Use [redacted], or password: [redacted] and go. ';
  const textsOf = (events: readonly StreamEvent[], type: 'text-delta' | 'tool-progress') =>
    events
      .flatMap((event) => (event.type === 'live' ? event.events : event.type === 'event' ? event.event : []))
      .flatMap((event) => (event.type === type ? event.text : []))
      .join('');

  it('is never shown, whenever a page joins, and nothing else is lost', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: whole.length });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(whole.length), async (cuts, joins) => {
        const { session, tell, link } = await makeStreamed();
        link();
        const send = (from: number, to: number) => {
          for (let at = from, index = 0; at < to; at += cuts[index++] ?? 1) {
            const text = whole.slice(at, Math.min(to, at + (cuts[index] ?? 1)));
            tell({ type: 'text-delta', text });
            tell({ type: 'tool-progress', toolCallId: 'c', text });
            tell({ type: 'queue-change', steering: 0, followUp: 0 });
          }
        };
        tell({ type: 'run-start', model });
        tell({
          type: 'tool-start',
          call: { type: 'tool-call', id: 'c', name: 'Bash', input: {} },
          access: [],
        });
        send(0, joins);
        let isSent = false;
        const isOver = (each: StreamEvent) => each.type === 'event' && each.event.type === 'turn-end';
        const events = await take(session, undefined, (so) => {
          if (so.length > 0 && !isSent) {
            isSent = true;
            send(joins, whole.length);
            tell({ type: 'turn-end', turn: 1, usage, cost: 0 });
          }
          return so.some(isOver);
        });
        expect(textsOf(events, 'text-delta')).toBe(hidden);
        expect(textsOf(events, 'tool-progress')).toBe(hidden);
      }),
      { numRuns: 30 },
    );
  });
});

describe('events that repeat what is under way', () => {
  const call = { type: 'tool-call', id: 'c', name: 'Bash', input: {} } as const;
  const event = fc.constantFrom<SessionEvent>(
    { type: 'run-start', model },
    { type: 'turn-start', turn: 1, model },
    { type: 'text-delta', text: 'a' },
    { type: 'text-delta', text: 'b' },
    { type: 'thinking-delta', text: 't' },
    { type: 'text-end' },
    { type: 'text-restart' },
    { type: 'tool-start', call, access: [] },
    { type: 'tool-progress', toolCallId: 'c', text: 'p' },
    { type: 'message-append', message: answer('done') },
    { type: 'compaction-start', reason: 'manual' },
    { type: 'compaction-end', reason: 'manual', kind: 'unchanged', cost: 0 },
    { type: 'limit-end', model },
  );

  it('lead a late listener to the same state as one that heard everything', () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(event), (before, after) => {
        const whole = new LiveFold();
        for (const each of [...before, ...after]) whole.take(each);
        const early = new LiveFold();
        for (const each of before) early.take(each);
        const late = new LiveFold();
        for (const each of [...early.events(), ...after]) late.take(each);
        expect(late.events()).toEqual(whole.events());
      }),
    );
  });
});
