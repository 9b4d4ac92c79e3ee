import { readFile } from 'node:fs/promises';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { parseConfigWords } from '../request/config-request.ts';
import { runConfigRequest } from './run-config-request.ts';

const config = (place: TestProject, ...words: string[]) => runConfigRequest(parseConfigWords(words), place);

describe('what is written by config set', () => {
  it.each([
    [['model', 'sonnnet'], /Unknown model "sonnnet"\. Did you mean sonnet/],
    [['model', 'claud'], /Unknown model "claud"/],
    [['--add', 'fallbackModels', 'hiaku'], /Did you mean haiku/],
    [['compaction.model', 'hiaku'], /Did you mean haiku/],
    [['baseUrls.antropic', 'https://x.example'], /Unknown vendor "antropic"\. Did you mean anthropic/],
    [['baseUrls.openai', 'foo'], /"foo" is not a URL\. Write it with its scheme/],
    [['theme', 'lihgt/dark'], /Unknown theme "lihgt"\. Did you mean "light"/],
    [['models.active', 'nope'], /Unknown profile "nope"\. Define it in models\.profiles/],
  ])('refuses a name that nothing bears: %j', async (words, expected) => {
    proves('R-41');
    const place = await makeTestProject();
    const file = await place.put('~/.robota/settings.json', '{ "maxTurns": 3 }');
    await expect(config(place, 'set', ...words)).rejects.toThrow(expected);
    expect(await readFile(file, 'utf8')).toBe('{ "maxTurns": 3 }');
  });

  it.each([
    ['kl0ngon', /warning: Unknown language "kl0ngon"/],
    ['qx', /warning: Unknown language "qx"/],
    ['ko', /^Set language to ko in [^\n]*$/],
    ['pt-BR', /^Set language to pt-BR in [^\n]*$/],
    ['Deutsch', /^Set language to Deutsch in [^\n]*$/],
  ])('doubts a language that can be none: %s', async (language, expected) => {
    expect((await config(await makeTestProject(), 'set', 'language', language)).text).toMatch(expected);
  });

  it.each([
    ['baseUrls.openai', 'localhost:8000'],
    ['theme', 'color-blind-light/mine'],
  ])('takes local addresses, American spelling and themes of the user: %s', async (key, value) => {
    const place = await makeTestProject();
    await place.put('~/.robota/themes/mine.json', { name: 'mine' });
    expect((await config(place, 'set', key, value)).text).toContain(`Set ${key} to ${value}`);
  });

  it('says that an unknown model is taken for one of Ollama', async () => {
    const place = await makeTestProject();
    const told = /warning: "my-own" is not a known name, so it is used as an Ollama model/;
    expect((await config(place, 'set', 'model', 'my-own')).text).toMatch(told);
    expect((await config(place, 'set', 'model', 'my-own:8b')).text).not.toContain('warning');
  });

  it('knows the profiles and models of the user', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', {
      models: { profiles: [{ name: 'sonnnet', provider: 'anthropic', model: 'opus' }] },
    });
    expect((await config(place, 'set', 'model', 'sonnnet')).text).toContain('model to sonnnet');
    expect((await config(place, 'set', 'models.active', 'sonnnet')).text).toContain('to sonnnet');
    expect((await config(place, 'set', 'model', 'ollama/claud')).text).toContain('to ollama/claud');
  });
});

describe('what is in force', () => {
  it('lists times and sizes in units, and as they are in JSON and by get', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { tasks: { maxRuntimeMs: 14_400_000 } });
    expect((await config(place, 'list')).text).toContain('tasks.maxRuntimeMs = 4 h  (');
    expect((await config(place, 'explain', 'tasks.outputLimitBytes')).text).toContain('= 8 MB  (built-in)');
    expect((await config(place, 'list', '--json')).text).toContain('"value":14400000');
    expect((await config(place, 'get', 'tasks.maxRuntimeMs')).text).toBe('14400000');
  });

  it('get and explain join the rules of all files also for the whole of permissions', async () => {
    proves('R-41');
    const place = await makeTestProject();
    await place.put('.robota/settings.json', { permissions: { deny: ['Read(.env)', 'Bash(rm *)'] } });
    await place.put('~/.robota/settings.json', { permissions: { deny: ['Read(.env)'], ask: ['WebFetch'] } });
    await place.put('~/.claude/settings.json', { permissions: { deny: ['WebSearch'], allow: ['Bash(ls)'] } });
    const expected = {
      deny: ['Read(.env)', 'Bash(rm *)', 'WebSearch'],
      ask: ['WebFetch'],
      allow: ['Bash(ls)'],
    };
    expect((await config(place, 'get', 'permissions')).data).toEqual(expected);
    const [first] = (await config(place, 'explain', 'permissions')).text.split('\n');
    expect(first).toBe(`permissions = ${JSON.stringify(expected)}`);
    expect((await config(place, 'get', 'permissions.deny')).data).toEqual(expected.deny);
  });

  it('list names unused keys apart, and says why something does not count', async () => {
    proves('R-41');
    const place = await makeTestProject();
    await place.put('~/.claude/settings.json', {
      spinnerVerbs: { mode: 'append', verbs: ['x'] },
      includeCoAuthoredBy: false,
      permissions: { defaultMode: 'dontAsk' },
    });
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'beep' }] }] };
    await place.put('.claude/settings.json', { hooks });
    const { text } = await config(place, 'list');
    expect(text).not.toContain('spinnerVerbs =');
    expect(text).toContain('Not read by Robota: spinnerVerbs, includeCoAuthoredBy  (');
    expect(text).toMatch(/permissions\.defaultMode = default .*dontAsk does not fit, so it is ignored/);
    expect(text).toMatch(/hooks\.Stop = \(not set\) .*is not trusted yet/);
  });

  it('schema and edit answer in a session as well', async () => {
    proves('R-41');
    const place = await makeTestProject();
    expect((await config(place, 'schema', 'models')).data).toHaveProperty('properties.providers');
    await expect(config(place, 'schema', 'nope')).rejects.toThrow('Unknown schema "nope"');
    const { data } = await config(place, 'edit', '--scope', 'local');
    expect(data).toEqual({ file: `${place.cwd}/.robota/settings.local.json` });
  });
});
