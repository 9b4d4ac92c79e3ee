import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

const denied = (
  session: { check(subject: { command: string }): Promise<{ verdict: string }> },
  command: string,
) => session.check({ command }).then(({ verdict }) => verdict);

describe('settings that change during a session', () => {
  it('a deny rule that is added to the file counts at once, also during a run', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { permissions: { allow: ['Bash(echo *)'] } });
    const script = [
      callTurn('Bash', { command: 'echo one' }),
      callTurn('Bash', { command: 'echo two' }),
      { text: 'ok' },
    ];
    const { session } = await openScripted(place, script);
    const notices: string[] = [];
    session.on('notice', ({ text }) => notices.push(text));
    session.watchSettings();
    const results: string[] = [];
    session.on('event', async (event) => {
      if (event.type !== 'tool-end') return;
      results.push(event.status);
      if (results.length > 1) return;
      await place.put('~/.robota/settings.json', { permissions: { deny: ['Bash(echo *)'] } });
      await vi.waitFor(() => expect(notices.join('\n')).toContain('are now in effect: permissions'));
    });
    await session.submit('go');
    expect(results).toEqual(['success', 'denied']);
    await session.shutdown();
  });

  it('tells once of a setting that counts from the next session on', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', {});
    const { session } = await openScripted(place, []);
    const live = session.live;
    await place.put('~/.robota/settings.json', { maxTurns: 9 });
    expect(await live?.reload()).toEqual([expect.stringContaining('maxTurns')]);
    expect(await live?.reload()).toEqual([]);
    await session.shutdown();
  });

  it('nothing becomes wider during a run, even by a file of the user', async () => {
    const place = await makeTestProject();
    const file = '~/.robota/settings.json';
    await place.put(file, { permissions: { deny: ['Bash(rm *)'] } });
    const { session } = await openScripted(place);
    const { permissions } = session;
    await place.put(file, { permissions: { allow: ['Bash(*)'], defaultMode: 'acceptEdits' } });
    permissions.renew({ isRunning: true });
    await session.executeCommand('config', 'path');
    expect(await denied(permissions, 'rm x')).toBe('deny');
    expect(await denied(permissions, 'make')).toBe('ask');
    expect(permissions.mode).toBe('default');
    await session.executeCommand('config', 'set language ko');
    expect(await denied(permissions, 'make')).toBe('allow');
    expect(permissions.mode).toBe('acceptEdits');
    await session.shutdown();
  });

  it('the language, the mode, budgets and compaction are taken over; others are announced for later', async () => {
    proves('C-83');
    const place = await makeTestProject();
    const { session, provider } = await openScripted(place, [{ text: 'ok' }, { text: 'ok' }]);
    await session.submit('hi');
    const said = await session.executeCommand('config', 'set language ko');
    expect(said?.message).toMatch(
      /Set language to ko in .*settings\.json\.\n.*are now in effect: language \(ko, was not set\)\./,
    );
    const heard: string[] = [];
    const stop = session.subscribe(
      (event) =>
        event.type === 'settings-change' && heard.push(`${event.keys} ${session.settings?.terminal.vim}`),
    );
    await session.executeCommand('config', 'set vim true');
    stop();
    await session.executeCommand('config', 'set vim false');
    expect(heard).toEqual(['terminal true']);
    await session.executeCommand('config', 'set budget.session 0.5');
    expect((await session.executeCommand('config', 'set maxTurns 3'))?.message).toContain(
      'take effect in the next session: maxTurns',
    );
    expect((await session.executeCommand('config', 'set permissions.defaultMode plan'))?.message).toContain(
      'are now in effect: permissions.defaultMode (plan, was default).',
    );
    expect(session.permissions.mode).toBe('plan');
    await session.submit('again');
    expect(provider.requests[1]?.system).toMatch(/Always respond in/);
    expect(provider.requests[1]?.system).not.toBe(provider.requests[0]?.system);
    session.getSession().spending.charge({
      usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      cost: 1,
      modelCalls: 1,
    });
    expect(await session.submit('more')).toMatchObject({ status: 'limit', error: { code: 'budget' } });
    await session.shutdown();
  });

  it('a broken edit is reported with its line and changes nothing; a project still cannot widen', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { permissions: { deny: ['Bash(rm *)'] } });
    const { session } = await openScripted(place);
    const notices: string[] = [];
    session.on('notice', ({ text }) => notices.push(text));
    session.watchSettings();
    await place.put('.robota/settings.json', '{\n "permissions": {\n');
    await vi.waitFor(() => expect(notices[0]).toMatch(/settings\.json:3:1: Not valid JSON.*stay in force\./));
    expect(await denied(session.permissions, 'rm x')).toBe('deny');
    await place.put('.robota/settings.json', { permissions: { allow: ['Bash(make)'], ask: ['Bash(ls)'] } });
    await vi.waitFor(() => expect(notices).toHaveLength(3));
    expect(await denied(session.permissions, 'make')).toBe('ask');
    expect(await denied(session.permissions, 'ls')).toBe('ask');
    await session.shutdown();
  });

  it('sees a file that is made only later, and one that goes away', async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place);
    const notices: string[] = [];
    session.on('notice', ({ text }) => notices.push(text));
    session.watchSettings();
    await place.put('.robota/settings.json', { permissions: { deny: ['Bash(ls)'] } });
    await vi.waitFor(async () => expect(await denied(session.permissions, 'ls')).toBe('deny'));
    await rm(join(place.cwd, '.robota/settings.json'));
    await vi.waitFor(async () => expect(await denied(session.permissions, 'ls')).toBe('allow'));
    expect(notices.at(0)).toContain('permissions (deny + Bash(ls))');
    expect(notices.slice(-3)).toEqual([
      `${join(place.cwd, '.robota/settings.json')} is gone.`,
      'The changed settings are now in effect: permissions (deny - Bash(ls)).',
      'Fewer things are protected now. No longer in effect: deny Bash(ls).',
    ]);
    await session.shutdown();
  });

  it('a value that does not fit is refused with what is expected', async () => {
    proves('R-40');
    const place = await makeTestProject();
    const { session } = await openScripted(place);
    expect(await session.executeCommand('config', 'set thinking verry')).toMatchObject({
      success: false,
      message: expect.stringContaining('expected one of "off"'),
    });
    expect(await session.executeCommand('config', 'explain language')).toMatchObject({
      success: true,
      message: expect.stringContaining('No file sets it.'),
    });
    await session.shutdown();
  });
});
