import type { ToolItem } from '@robota-sdk/agent-sessions';
import { afterEach, describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { testStage } from '../screens/fixtures/test-stage.ts';
import { openPager } from './open-pager.ts';

const sessions: { shutdown(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.shutdown();
});

async function openSession(script: Parameters<typeof openScripted>[1]) {
  const { session } = await openScripted(await makeTestProject(), script, {
    store: 'new',
    permissionMode: 'bypassPermissions',
  });
  sessions.push(session);
  return { session, stage: testStage({ session }) };
}

describe('openPager', () => {
  it('shows all of a session, whole outputs included, and closes', async () => {
    const { session, stage } = await openSession([
      callTurn('Bash', { command: 'for i in 1 2 3 4 5 6 7 8 9; do echo "row $i"; done' }),
      { text: 'there are nine' },
    ]);
    await session.submit('count');
    openPager(stage);
    expect(stage.isScreen).toBe(true);
    expect(stage.lines().join('\n')).toContain('there are nine');
    expect(stage.lines().join('\n')).not.toContain('row 4');
    stage.press('up', 'enter');
    expect(stage.lines().join('\n')).toContain('row 4');
    stage.type('q');
    expect(stage.panel).toBeUndefined();
  });

  it('shows what a compaction took out of the sight of the model', async () => {
    const { session, stage } = await openSession([
      { text: 'answer one' },
      { text: 'answer two' },
      { text: '## Summary\nwhat was done' },
    ]);
    await session.submit(`question one ${'word '.repeat(16_000)}`);
    await session.submit(`question two ${'word '.repeat(16_000)}`);
    await session.compact();
    openPager(stage);
    stage.lines();
    for (const words of ['answer one', 'Context compressed', 'answer two']) {
      stage.type(`/${words}`);
      stage.press('enter');
      expect(stage.lines().join('\n')).toContain(words);
    }
  });

  it('follows a run that continues, what is not yet a message included', async () => {
    const { session, stage } = await openSession([
      callTurn('Bash', { command: 'echo one' }),
      { text: 'all is done' },
    ]);
    const running: ToolItem = {
      kind: 'tool',
      callId: 'x',
      name: 'Bash',
      input: { command: 'sleep 9' },
      state: 'running',
      output: '',
    };
    const pager = openPager(Object.assign(stage, { pending: [running] }));
    expect(stage.lines().join('\n')).toContain('⟳ $ sleep 9');
    Object.assign(stage, { pending: [] });
    await session.submit('count');
    const shown = stage.lines().join('\n');
    expect(shown).toContain('count');
    expect(shown).toContain('✓ $ echo one');
    expect(shown).toContain('all is done');
    expect(shown).not.toContain('sleep 9');
    pager?.cancel();
    await session.submit('again').catch(() => undefined);
    expect(stage.panel).toBeUndefined();
  });

  it('a call that waits for an answer is shown as running, not as cut off', async () => {
    let shown = '';
    const { session } = await openScripted(
      await makeTestProject(),
      [callTurn('Bash', { command: 'touch x' }), { text: 'done' }],
      {
        store: 'new',
        terminal: {
          notify: () => {},
          ask: async () => {
            const stage = testStage({ session });
            const pager = openPager(stage);
            shown = stage.lines().join('\n');
            pager?.cancel();
            return { kind: 'selected', indexes: [0] };
          },
        },
      },
    );
    sessions.push(session);
    await session.submit('go');
    expect(shown).toContain('⟳ $ touch x');
    expect(shown).not.toMatch(/[✗x✕] .*Bash|cut off/);
  });

  it('says that there is no history before a session is there', () => {
    const stage = testStage();
    expect(openPager(stage)).toBeUndefined();
    expect(stage.told).toEqual(['No history yet.']);
  });
});
