import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from './load-config.ts';

describe('a project within the restrictions of its user', () => {
  it.each([
    [{ tools: ['default'] }, { tools: ['Read', 'Grep'] }],
    [{ tools: ['Read', 'Bash'] }, { tools: ['Read'] }],
    [{ tools: ['Bash'] }, { tools: [] }],
    [{ excludeTools: [] }, { excludeTools: ['Bash'] }],
    [{ excludeTools: ['Write'] }, { excludeTools: ['Write', 'Bash'] }],
    [{ maxTurns: 1_000_000 }, { maxTurns: 20 }],
    [{ maxTurns: 5 }, { maxTurns: 5 }],
    [{ skillInvocation: 'auto-invoke' }, { skillInvocation: 'user' }],
    [{ toolProtocols: { 'a/b': 'xnl' } }, { toolProtocols: {} }],
  ])('%j gives nothing back, trusted or not', async (written, used) => {
    proves('R-41', 'E-39');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', {
      tools: ['Read', 'Grep'],
      excludeTools: ['Bash'],
      maxTurns: 20,
      skillInvocation: 'user',
    });
    for (const file of ['.robota/settings.json', '.claude/settings.local.json']) {
      await put(file, written);
      for (const trustProject of [false, true])
        expect((await loadConfig(cwd, { host, trustProject })).settings).toMatchObject(used);
      await put(file, {});
    }
  });

  it('decides where the user says nothing', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/settings.json', { tools: ['default'] });
    await put('.robota/settings.json', { tools: ['Read'], excludeTools: ['Grep'], maxTurns: 90 });
    const { settings } = await loadConfig(cwd, { host });
    expect(settings).toMatchObject({ tools: ['Read'], excludeTools: ['Grep'], maxTurns: 90 });
  });

  it('never makes runs longer than usual, or retries more', async () => {
    proves('E-39');
    const { cwd, host, put } = await makeTestProject();
    const usual = (await loadConfig(cwd, { host })).settings;
    const written = {
      maxTurns: 1e9,
      retry: { maxRetries: 1e9, baseDelayMs: 0 },
      idleTimeoutMs: 1,
      waitForLimit: 'always',
    };
    await put('.robota/settings.json', written);
    const { settings } = await loadConfig(cwd, { host, trustProject: true });
    const { maxTurns, retry, idleTimeoutMs, waitForLimit } = usual;
    expect({ ...settings, waitForLimit: settings.waitForLimit }).toMatchObject({
      maxTurns,
      retry,
      idleTimeoutMs,
      waitForLimit,
    });
  });
});
