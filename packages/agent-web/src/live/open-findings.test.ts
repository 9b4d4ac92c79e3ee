import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentError, Extension } from '@robota-sdk/agent-core';
import { type InteractiveSession, promptRows } from '@robota-sdk/agent-sdk/front-end';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, vi } from 'vitest';
import { openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { makeServer } from '../fixtures/scripted-server.ts';
import { HeldSessions } from './held-sessions.ts';
import { sendText } from './send-text.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const patience = { timeout: 20_000 };

type Row = (typeof promptRows)[number];

describe('a side question', () => {
  /** Asks aside, does something else while the model thinks about it, and lets the model answer. */
  const askAside = async (meanwhile: (send: (text: string) => Promise<unknown>) => Promise<unknown>) => {
    const { opened, open } = gate();
    const isAside = (request: { messages: readonly unknown[] }) =>
      JSON.stringify(request.messages.at(-1)).includes('why so?');
    const { call, start, page, live, provider } = await makeServer((request) =>
      isAside(request) ? { text: 'Because of the tax.', before: () => opened } : { text: 'Done.' },
    );
    const id = await start('Begin');
    const isIdle = async () =>
      expect([(await page(id)).entries.at(-1)?.kind, live.peek(id)?.isRunning]).toEqual(['answer', false]);
    await vi.waitFor(isIdle, patience);
    const send = (text: string) => call(`POST /api/sessions/${id}/prompt`, { text, as: 'prompt' });
    const asked = send('/btw why so?');
    await vi.waitFor(() => expect(provider.requests.some(isAside)).toBe(true), patience);
    await meanwhile(send);
    open();
    const { json } = await asked;
    await vi.waitFor(isIdle, patience);
    await live.close();
    return json;
  };

  stillOpen('is answered also if a prompt is sent before the answer', {
    observe: () => askAside((send) => send('And the rest')),
    today: {},
    wanted: (reply) => expect(reply).toMatchObject({ message: 'Because of the tax.' }),
  });
});

stillOpen('says of no command that it can write files if it cannot', {
  observe: async () => {
    const row: Row = { name: 'words', description: 'Count words', needs: [], during: 'run' };
    const rows = promptRows as Row[];
    rows.push(row);
    const counting: Extension<InteractiveSession> = {
      name: 'counting',
      setup: (host) => host.command({ ...row, run: async () => ({ kind: 'notice', text: '7 words' }) }),
    };
    const { session } = await openScripted(await makeTestProject(), [], { extensions: [counting] });
    const reply = await sendText(session, { text: '/words', as: 'prompt', shell: false }).catch(
      (thrown: AgentError) => thrown.message,
    );
    rows.splice(rows.indexOf(row), 1);
    await session.shutdown();
    return reply;
  },
  today: (reply) =>
    expect(reply).toMatch(/^\/words is off on this page: it can write files or start programs\./),
  wanted: (reply) => expect(JSON.stringify(reply)).not.toContain('it can write files or start programs'),
});

describe('sessions that a server holds', () => {
  const hold = async (extensions: readonly Extension<InteractiveSession>[] = []) => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test-key' });
    const held = new HeldSessions({
      host: place.host,
      session: { model: 'offline', extensions },
      onChange: () => {},
      offer: async () => () => {},
      isWatched: () => false,
    });
    return { place, held };
  };

  stillOpen('can be opened again while one is being released', {
    observe: async () => {
      const { opened: isLetGo, open: letGo } = gate();
      const slow = {
        name: 'slow',
        setup: (host) => host.hook('session-end', async () => void (await isLetGo)),
      } satisfies Extension<InteractiveSession>;
      const { place, held } = await hold([slow]);
      const { session } = await held.create({ cwd: place.cwd });
      await session.submit('Hi');
      const { id } = session;
      const [listed] = await session.kept.store.list();
      const file = listed?.path ?? '';
      const released = held.release(id);
      const opened = held.open(id, { file, cwd: place.cwd }).then(
        () => 'opened',
        (thrown: AgentError) => thrown.code,
      );
      // A repair may wait for the release.
      await Promise.race([opened, sleep(2_000)]);
      letGo();
      await released;
      await held.close();
      return opened;
    },
    today: 'session-in-use',
    wanted: (outcome) => expect(outcome).toBe('opened'),
  });

  stillOpen('are all released when the server closes, also one that is being created', {
    observe: async () => {
      const { place, held } = await hold();
      const created = held.create({ cwd: place.cwd });
      await held.close();
      const id = await created.then(
        ({ session }) => session.id,
        () => '',
      );
      const isHeld = held.get(id) !== undefined;
      await held.release(id);
      return isHeld;
    },
    today: true,
    wanted: (isHeld) => expect(isHeld).toBe(false),
  });
});
