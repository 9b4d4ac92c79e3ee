import { type Message, textOf, toolCallsOf } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { compactionThreshold, estimateAll } from '../window/context-window.ts';
import { type CompactionRequest, compact } from './compact.ts';

const { signal } = new AbortController();
const big = (name: string, characters: number) => `${name} begins ${'x'.repeat(characters)} ${name} ends`;
const texts = (messages: readonly Message[]) => messages.map(({ content }) => textOf(content)).join('\n');

async function shortened(request: Omit<CompactionRequest, 'signal'>) {
  const outcome = await compact({ ...request, signal });
  if (outcome.kind === 'unchanged') throw new Error(outcome.notice);
  return outcome;
}

describe('a message larger than the window', () => {
  const talk = [user('one'), assistant('first'), user('two'), assistant('second')];

  it.each(['threshold', 'overflow', 'manual'] as const)(
    'is cut where it is the request, and no summary is paid for (%s)',
    async (reason) => {
      const choice = scriptedModel([]);
      const saved: string[] = [];
      const request = user(big('paste', 1_000_000));
      const saveText = ({ id }: Message) => {
        saved.push(id);
        return `/outputs/${id}.txt`;
      };
      const outcome = await shortened({ messages: [...talk, request], choice, reason, saveText });
      expect(outcome.tokensAfter).toBeLessThan(4_000);
      expect(choice.requests).toHaveLength(0);
      expect(texts(outcome.messages)).toMatch(
        /paste begins x+\n\[… \d+ characters left out …\]\nx+ paste ends/,
      );
      expect(texts(outcome.messages)).toContain(`The whole text is in /outputs/${request.id}.txt`);
      expect(saved).toContain(request.id);
      expect(outcome.messages.slice(0, 4)).toEqual(talk);
    },
  );

  it('falls into the summary where it is older than what stays', async () => {
    const write = call('w', 'Write', { file_path: 'a.txt', content: big('file', 240_000) });
    const messages = [user('write it'), write, result('w'), assistant('written'), user('next')];
    const choice = scriptedModel(['the notes'], 32_000);
    const outcome = await shortened({ messages, choice, reason: 'threshold' });
    expect(outcome.kind).toBe('summarised');
    expect(outcome.tokensAfter).toBeLessThan(compactionThreshold(32_000));
    expect(textOf(outcome.messages.at(-1)?.content ?? [])).toBe('next');
  });

  it('loses the middle of its arguments where it is a call that must stay', async () => {
    const write = call('w', 'Write', { file_path: 'a.txt', content: big('file', 240_000) });
    const messages = [user('write it'), write, result('w')];
    const outcome = await shortened({
      messages,
      choice: scriptedModel(['notes'], 32_000),
      reason: 'threshold',
    });
    expect(outcome.tokensAfter).toBeLessThan(compactionThreshold(32_000));
    const [kept] = outcome.messages.flatMap(toolCallsOf);
    expect(kept).toMatchObject({ id: 'w', name: 'Write', input: { file_path: 'a.txt' } });
    expect(JSON.stringify(kept?.input)).toContain('file ends');
  });

  it('is the same when the session is read again', async () => {
    const store = new MemorySessionStore();
    const handle = await store.create({ cwd: '/' });
    const messages = [
      ...talk,
      call('w', 'Write', { content: big('file', 900_000) }),
      result('w', big('output', 900_000)),
      user(big('paste', 900_000)),
    ];
    for (const message of messages) await handle.append({ type: 'message', message });
    const outcome = await shortened({
      messages,
      choice: scriptedModel(['notes']),
      reason: 'overflow',
      saveText: () => '/outputs/x.txt',
    });
    await handle.appendAll(outcome.entries);
    const again = await store.open(handle.id, { mode: 'read' });
    expect(again.messages()).toEqual(outcome.messages);
  });
});

it('any conversation that a vendor refuses gets clearly shorter, with or without a summary', async () => {
  const size = fc.oneof(
    fc.nat(200),
    fc.integer({ min: 1_000, max: 40_000 }),
    fc.integer({ min: 100_000, max: 400_000 }),
  );
  const part = fc.tuple(fc.constantFrom('user', 'assistant', 'call'), size, size);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), fc.boolean(), async (parts, isUp) => {
      const messages = parts.flatMap(([kind, one, other], at): Message[] => {
        if (kind === 'user') return [user(big(`p${at}`, one))];
        if (kind === 'assistant') return [assistant(big(`a${at}`, one))];
        return [call(`c${at}`, 'Write', { content: big('c', one) }), result(`c${at}`, big('r', other))];
      });
      const down = { code: 'server', message: 'down', retryable: false } as const;
      const choice = scriptedModel([isUp ? 'the notes' : down], 32_000);
      const before = estimateAll(messages);
      fc.pre(before > 12_000);
      const outcome = await shortened({ messages, choice, reason: 'overflow' });
      expect(outcome.tokensAfter).toBeLessThan(before / 2 + 1_000);
      expect(outcome.tokensAfter).toBeLessThan(compactionThreshold(32_000));
      const calls = new Set(outcome.messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)));
      for (const message of outcome.messages)
        if (message.role === 'tool') expect(calls.has(message.toolCallId)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
