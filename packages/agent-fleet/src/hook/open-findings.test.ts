import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { LocalClient } from '../client/local-client.ts';
import { fakeSteps } from '../fixtures/fake-steps.ts';
import { giveDatabase } from '../fixtures/migrated-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { runSupervisor } from '../worker/run-supervisor.ts';
import { createHookServer } from './hook-server.ts';
import { withUntrusted } from './untrusted-text.ts';
import { ownSignature } from './verify-request.ts';

const secret = 'a secret of some length';

async function openHook(client: Parameters<typeof createHookServer>[0]['client'], tasksPerMinute = 30) {
  const templates = new Map([['/', taskSpec({ name: 'triage', deliver: 'none' })]]);
  const server = createHookServer({ client, templates, secret, tasksPerMinute, onEvent: () => {} });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (body: string, isSigned = true) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const delivery = randomUUID();
    const signature = ownSignature({ secret, timestamp, delivery, path: '/', body });
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: {
        'x-robota-timestamp': timestamp,
        'x-robota-delivery': delivery,
        ...(isSigned ? { 'x-robota-signature': `v2=${signature}` } : {}),
      },
    });
    const { id } = (await response.json()) as { id?: string };
    return { status: response.status, id };
  };
}

const openClient = async () => {
  const home = await mkdtemp(join(tmpdir(), 'fleet-hook-'));
  return { home, client: new LocalClient(home) };
};

/** A text with a character of two units across the cut. */
const cutInside = JSON.stringify({ t: `${'a'.repeat(65_526)}${'😀'.repeat(50)}` });

describe('a webhook', () => {
  stillOpen('cuts a long text between two characters', {
    observe: () => {
      const text = withUntrusted('Do it.', {
        text: 'a'.repeat(64 * 1024 - 1) + '😀'.repeat(50),
        delivery: 'd',
      });
      return Buffer.from(text).toString() === text;
    },
    today: false,
    wanted: (isWhole) => expect(isWhole).toBe(true),
  });

  stillOpen('loses no request that it accepted', {
    observe: async () => {
      const { home, client } = await openClient();
      await giveDatabase(home);
      const post = await openHook(client);
      const { status, id = '' } = await post(cutInside);
      await runSupervisor({
        home,
        jobs: 1,
        version: '1.0.0',
        env: process.env,
        untilEmpty: true,
        signal: new AbortController().signal,
        steps: fakeSteps(),
        times: { beatMs: 100 },
      });
      return { status, state: (await client.task(id))?.state };
    },
    today: { status: 202, state: undefined },
    wanted: ({ status, state }) => expect({ status, state }).toEqual({ status: 202, state: 'done' }),
  });

  stillOpen('counts no task that it could not add', {
    observe: async () => {
      const { client } = await openClient();
      const submitOnce = vi.spyOn(client, 'submitOnce').mockRejectedValueOnce(new Error('The disk is full.'));
      const post = await openHook(client, 1);
      const statuses = [(await post('x')).status, (await post('x')).status];
      expect(submitOnce).toHaveBeenCalled();
      return statuses;
    },
    today: [500, 429],
    wanted: (statuses) => expect(statuses).toEqual([500, 202]),
  });

  stillOpen('accepts signed requests while a stranger sends many', {
    observe: async () => {
      // The clock stands still, so that the limit does not recover meanwhile.
      const now = Date.now();
      vi.spyOn(Date, 'now').mockReturnValue(now);
      onTestFinished(() => void vi.restoreAllMocks());
      const { client } = await openClient();
      const post = await openHook(client);
      const strangers = new Set<number>();
      for (let round = 0; round < 60; round++) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => post('x', false)));
        for (const { status } of answers) strangers.add(status);
      }
      return { strangers: [...strangers], signed: (await post('x')).status };
    },
    today: { strangers: [401], signed: 429 },
    wanted: ({ signed }) => expect(signed).toBe(202),
  });
});
