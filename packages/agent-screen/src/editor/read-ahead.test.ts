import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { expect, it } from 'vitest';
import { prepareRequest, readAheadAtFirstKey } from './read-ahead.ts';

const draft = (text: string) => ({ text, isEmpty: text === '' });

/** A session whose model can read ahead, and the signals of its prompts. */
async function openSession() {
  const cwd = await mkdtemp(join(tmpdir(), 'robota-ahead-'));
  const host = { env: { HOME: cwd, ROBOTA_HOME: join(cwd, '.robota') }, home: cwd };
  const session = await createInteractiveSession({ cwd, host, model: 'offline', store: 'none' });
  const conversation = session.getSession();
  const [choice] = conversation.models;
  const signals: AbortSignal[] = [];
  const readAhead = ({ signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  conversation.useModel([{ ...choice, provider: { ...choice.provider, readAhead } }]);
  return { session, signals };
}

it('a prompt is read ahead when it begins, and the run ends that', async () => {
  const { session, signals } = await openSession();
  const changed = readAheadAtFirstKey(() => session);
  for (const text of ['', '/', '/help', '', '!', '!ls', '']) changed(draft(text));
  expect(signals).toHaveLength(0);
  for (const text of ['h', 'he', 'hel', 'help']) changed(draft(text));
  expect(signals).toHaveLength(1);
  expect(signals[0]?.aborted).toBe(false);
  await session.submit('help');
  expect(signals[0]?.aborted).toBe(true);
  for (const text of ['', 'm', 'mo']) changed(draft(text));
  expect(signals).toHaveLength(2);
  await session.shutdown();
});

it('it waits for the session and for the end of the run', async () => {
  const { session, signals } = await openSession();
  let current: typeof session | undefined;
  const changed = readAheadAtFirstKey(() => current);
  changed(draft('a'));
  current = session;
  const run = session.submit('help');
  expect(session.isExecuting()).toBe(true);
  changed(draft('ab'));
  expect(signals).toHaveLength(0);
  await run;
  changed(draft('abc'));
  expect(signals).toHaveLength(1);
  await session.shutdown();
});

it('the request of a long session is prepared, that of a short one is not', async () => {
  const { session } = await openSession();
  const conversation = session.getSession();
  const [choice] = conversation.models;
  const prepared: number[] = [];
  const prepare = async ({ messages }: { readonly messages: readonly unknown[] }) => {
    prepared.push(messages.length);
  };
  conversation.useModel([{ ...choice, provider: { ...choice.provider, prepare } }]);
  await session.submit('help');
  await prepareRequest(session);
  expect(prepared).toEqual([]);
  while (session.messages.length < 1000) await conversation.context.tell('something');
  await prepareRequest(session);
  expect(prepared).toEqual([1000]);
  await session.shutdown();
});
