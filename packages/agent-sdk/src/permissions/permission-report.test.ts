import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

describe('the permissions of a session', () => {
  it('are explained for a single command', async () => {
    proves('C-34');
    const place = await makeTestProject();
    const file = await place.put('~/.robota/settings.json', { permissions: { deny: ['Bash(git push *)'] } });
    const { session } = await openScripted(place);
    const denied = await session.executeCommand('permissions', 'check make && git push');
    expect(denied?.message).toMatch(/^deny: make && git push\n/);
    expect(denied?.message).toContain(`Bash(git push *) (${file}:`);
    expect((await session.executeCommand('permissions', 'check ls'))?.message).toMatch(/^allow: ls\n/);
    expect(await session.executeCommand('permissions', 'chekc ls')).toMatchObject({ success: false });
    await session.shutdown();
  });

  it('name where the mode comes from, also after it was changed', async () => {
    proves('C-29', 'C-34');
    const place = await makeTestProject();
    const file = await place.put('~/.robota/settings.json', '{"permissions": {\n"defaultMode": "plan"}}');
    const { session } = await openScripted(place);
    const modeLine = async () => (await session.executeCommand('permissions'))?.message.split('\n')[0];
    expect(await modeLine()).toBe(`mode: plan  (${file}:2)`);
    await session.executeCommand('mode', 'acceptEdits');
    expect(await modeLine()).toBe('mode: acceptEdits  (this session)');
    await session.shutdown();
    const flagged = await openScripted(place, [], { permissionMode: 'default' });
    const { message } = (await flagged.session.executeCommand('permissions')) ?? {};
    expect(message).toMatch(/^mode: default {2}\(command line\)\n/);
    await flagged.session.shutdown();
    const plain = await openScripted(await makeTestProject());
    const unset = await plain.session.executeCommand('permissions');
    expect(unset?.message).toMatch(/^mode: default {2}\(built-in\)\n/);
    await plain.session.shutdown();
  });

  it('follow links in commands to where they lead', async () => {
    proves('E-39');
    const place = await makeTestProject();
    const outside = join(place.home, 'private');
    await mkdir(outside);
    await writeFile(join(outside, 'key'), 'secret');
    await symlink(outside, join(place.cwd, 'link'));
    await symlink(join(outside, 'key'), join(place.cwd, 'notes.txt'));
    const { session } = await openScripted(place, [], {
      rules: { allow: ['Bash(cp *)'], deny: [`Read(/${outside}/key)`] },
    });
    const verdict = async (command: string) => (await session.permissions.check({ command })).verdict;
    expect(await verdict('cat notes.txt')).toBe('deny');
    expect(await verdict('cat link/other')).toBe('ask');
    expect(await verdict('cd link && ls')).toBe('ask');
    expect(await verdict('ls > link/new')).toBe('ask');
    expect(await verdict('cp a link/b')).toBe('ask');
    expect(await verdict('cp a b')).toBe('allow');
    await session.shutdown();
  });
});
