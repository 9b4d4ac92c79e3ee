import type { Message } from '@robota-sdk/agent-core';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect, vi } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

type Request = { readonly system: string; readonly messages: readonly Message[] };
const isAgent = ({ system }: Request) => system.includes('You work for another agent');

stillOpen('continues an ended agent once at a time, whatever number of messages it is sent', {
  observe: async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let calls = 0;
    let atOnce = 0;
    let most = 0;
    const work = async () => {
      if (++calls === 1) return;
      most = Math.max(most, ++atOnce);
      await released;
      atOnce--;
    };
    const { session } = await openScripted(place, (request) =>
      isAgent(request) ? { text: 'seen', before: work } : { text: 'ok' },
    );
    const { tasks } = session;
    const { id } = await tasks.spawnAgent({ prompt: 'Look.', mode: 'foreground' });
    const sent = [tasks.send(id, { prompt: 'And here?' }), tasks.send(id, { prompt: 'And there?' })];
    // Both work at once today; a repair lets one of them wait.
    await vi.waitFor(() => expect(atOnce).toBe(2), { timeout: 5_000 }).catch(() => {});
    release();
    await Promise.allSettled(sent);
    await session.shutdown();
    return most;
  },
  today: 2,
  wanted: (most) => expect(most).toBe(1),
});

stillOpen('ends an agent that is started while its session closes', {
  observe: async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    const { session } = await openScripted(place);
    const spawned = session.tasks.spawnAgent({ prompt: 'Look.' });
    await session.tasks.dispose();
    const status = await spawned.then(
      (task) => session.tasks.find(task.id)?.status,
      () => 'refused',
    );
    await session.shutdown();
    return status;
  },
  today: 'queued',
  wanted: (status) => expect(status).toMatch(/refused|cancelled|interrupted/),
});
