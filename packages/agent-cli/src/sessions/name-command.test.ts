import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renameSession } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { temporaryDirectory, withoutPrivileges } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { user } from '../../../agent-sessions/src/fixtures/messages.ts';

it('fails with the reason where a name cannot be saved, and leaves nothing elsewhere', async () => {
  const home = await temporaryDirectory();
  const problems: string[] = [];
  const store = new JsonlSessionStore({ home, onProblem: ({ message }) => problems.push(message) });
  const handle = await store.create({ cwd: home });
  await handle.append({
    type: 'message',
    message: user('hi'),
  });
  await handle.close();
  const file = join(handle.directory ?? '', 'session.jsonl');
  const before = readFileSync(file, 'utf8');
  chmodSync(file, 0o400);
  await withoutPrivileges(home, async () => {
    await expect(renameSession(file, 'x', store)).rejects.toThrow(
      /^The name is not saved: permission denied.* Make .* writable for you\.$/,
    );
  });
  expect([readFileSync(file, 'utf8'), problems]).toEqual([before, []]);
});
