import type { AgentEvent, UserInterface } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeRepository } from '../fixtures/repository.ts';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const terminal: UserInterface = { notify: () => {}, ask: async () => ({ kind: 'dismissed' }) };

/** The notices of a session. */
function noticesOf(session: InteractiveSession): string[] {
  const notices: string[] = [];
  session.on('event', (event: AgentEvent) => {
    if (event.type === 'notice-show') notices.push(event.text);
  });
  return notices;
}

/** Holds an agent back until it is let go. */
function gate() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}

const say = async (session: InteractiveSession, args: string) =>
  (await session.executeCommand('agent', args))?.message ?? '';

/** Notices are told in the same turn of the event loop. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the end of an agent in the background', () => {
  it('is told once by itself, however often it was spoken to', async () => {
    const { held, release } = gate();
    const { session, provider } = await openScripted(
      await makeTestProject(),
      (_request, turn) =>
        turn === 0
          ? { before: () => held, toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }
          : { text: 'done' },
      { terminal },
    );
    const notices = noticesOf(session);
    expect(await say(session, 'look')).toMatch(/^\w+ started \(general-purpose\)\. /);
    const [{ id } = { id: '' }] = session.listAgentJobs();
    await expect.poll(() => provider.requests.length).toBe(1);
    expect(await say(session, `send ${id} more`)).toContain(`${id} gets the message and continues.`);
    release();
    await session.tasks.whenEnded(id);
    await settled();
    expect(notices).toEqual([`general-purpose ${id} done: done (/agent read ${id})`]);
    expect(await say(session, `send ${id} again`)).toContain(
      `${id} resumes where it ended (general-purpose).`,
    );
    await session.tasks.whenEnded(id);
    await settled();
    expect(notices).toHaveLength(2);
    await session.shutdown();
  });

  it('is not told again to the one who stopped it or waited for it', async () => {
    const { held, release } = gate();
    const { session, provider } = await openScripted(
      await makeTestProject(),
      (_request, turn) =>
        turn === 0
          ? { toolCalls: [{ name: 'Bash', input: { command: 'sleep 60' } }] }
          : { text: 'done', before: () => held },
      { terminal, permissionMode: 'bypassPermissions' },
    );
    const notices = noticesOf(session);
    await say(session, 'work');
    const [{ id } = { id: '' }] = session.listAgentJobs();
    await expect.poll(() => provider.requests.length).toBe(1);
    expect(await say(session, `stop ${id} enough`)).toMatch(/cancelled.*\nenough$/);
    await say(session, `send ${id} go on`);
    const waiting = say(session, `wait ${id}`);
    await settled();
    release();
    expect(await waiting).toBe('done');
    await settled();
    expect(notices.filter((text) => text.includes(id))).toEqual([]);
    await session.shutdown();
  });

  it('says all that can be done with its worktree, on lines of their own', async () => {
    const place = await makeRepository();
    const { session } = await openScripted(
      place,
      (_request, turn) =>
        turn === 0
          ? { toolCalls: [{ name: 'Write', input: { file_path: 'made.txt', content: 'x' } }] }
          : { text: 'word '.repeat(80) },
      { terminal, permissionMode: 'acceptEdits' },
    );
    const notices = noticesOf(session);
    await say(session, 'run --isolation worktree write');
    const [{ id } = { id: '' }] = session.listAgentJobs();
    const { worktree, result } = await session.tasks.whenEnded(id);
    const advice = worktree?.advice ?? '';
    expect(advice.split('\n')).toHaveLength(4);
    expect(result?.output.endsWith(advice)).toBe(true);
    await settled();
    const shown = advice.replaceAll(/^/gm, '  ');
    expect(notices).toEqual([
      expect.stringMatching(/^general-purpose \w+ done: word .*… \(\/agent read \w+\)\n/),
    ]);
    expect(notices[0]).toContain(`\n${shown}`);
    expect(await say(session, `read ${id}`)).toContain(`\n${shown}`);
    await session.shutdown();
  });
});
