import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readApprovals } from '@robota-sdk/agent-config';
import type { Answer, UserInterface } from '@robota-sdk/agent-core';
import { describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';

/** Approves every question once. */
const yes: UserInterface = {
  ask: async (): Promise<Answer> => ({ kind: 'selected', indexes: [0] }),
  notify: () => {},
};

async function approve(place: TestProject, command: string, store: 'new' | 'none' = 'new'): Promise<void> {
  const { session } = await openScripted(place, [callTurn('Bash', { command }), { text: 'done' }], {
    terminal: yes,
    store,
  });
  await session.submit('go');
  await session.shutdown();
}

describe('approvals', () => {
  it('are kept with what they were about, readable by the user alone and without keys', async () => {
    const place = await makeTestProject();
    const file = join(place.home, '.robota/approvals.jsonl');
    await approve(place, 'touch a sk-test-key');
    await vi.waitFor(async () => expect(await readApprovals(file)).toHaveLength(1));
    expect(await readApprovals(file)).toMatchObject([
      { cwd: place.cwd, tool: 'Bash', command: 'touch a [redacted]', kind: 'once' },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain('sk-test-key');
  });

  it('are not kept where nothing is to be kept on disk', async () => {
    const place = await makeTestProject();
    await approve(place, 'touch a', 'none');
    expect(await readApprovals(join(place.home, '.robota/approvals.jsonl'))).toEqual([]);
  });

  it('lose their older half when they grow too long, and broken lines cost only themselves', async () => {
    const place = await makeTestProject();
    const file = await place.put('~/.robota/approvals.jsonl', '');
    const line = (command: string) =>
      JSON.stringify({ time: 't', cwd: '/ws', tool: 'Bash', command, kind: 'once', rules: [] });
    const many = Array.from({ length: 6_000 }, (_, index) => line(`make ${index} ${'x'.repeat(60)}`));
    await writeFile(file, `${many.join('\n')}\n{"torn\n`);
    await approve(place, 'touch a');
    await vi.waitFor(async () => {
      const kept = await readApprovals(file);
      expect(kept.at(-1)?.command).toBe('touch a');
      expect(kept.length).toBeLessThan(3_100);
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
