import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { optionRows, settingKey, withoutReplaced } from '@robota-sdk/agent-config';
import { textOf } from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Robota } from '../client/robota.ts';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { InteractiveSession } from './interactive-session.ts';

let place: TestProject;
let session: InteractiveSession | undefined;

beforeEach(async () => {
  place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-ant-api03-environment-key-of-the-user' });
});
afterEach(async () => {
  await session?.shutdown();
  session = undefined;
});

const settingsFile = '~/.robota/settings.json';

describe('what is asked for later', () => {
  it('replaces options of the start, in the mode and in the language', async () => {
    const opened = await openScripted(place, undefined, { permissionMode: 'acceptEdits', language: 'de' });
    session = opened.session;
    await session.applySettings({ permissions: { defaultMode: 'plan' }, language: 'ja' });
    expect([session.permissions.mode, session.settings?.permissionMode, session.settings?.language]).toEqual([
      'plan',
      'plan',
      'ja',
    ]);
    await session.submit('hi');
    expect(opened.provider.requests[0]?.system).toContain('Japanese');
    const explained = await session.executeCommand('config', 'explain language');
    expect(explained?.message).toMatch(/ja.*\n.*--settings/);
    await session.applySettings({ language: null });
    expect(session.settings?.language).toBe('de');
  });

  it('replaces a mode that was chosen before', async () => {
    ({ session } = await openScripted(place));
    session.permissions.choose('acceptEdits');
    await session.applySettings({ permissions: { defaultMode: 'plan' } });
    expect(session.permissions.mode).toBe('plan');
  });

  it('is refused, and changes nothing, where it could not take effect', async () => {
    ({ session } = await openScripted(place, undefined, { permissionMode: 'acceptEdits' }));
    const wrong = { permissions: { additionalDirectories: ['/tmp'], defaultMode: 'plan' } };
    await expect(session.applySettings(wrong)).rejects.toThrow(
      'These settings cannot change in an open session: permissions.additionalDirectories.',
    );
    expect(session.permissions.mode).toBe('acceptEdits');
    await expect(
      session.applySettings({ permissions: { defaultMode: 'bypassPermissions' } }),
    ).rejects.toThrow('bypassPermissions is not available');
  });

  it('is, for every option, either replaced or joined', () => {
    for (const [name, row] of optionRows) {
      if (row.scope === undefined) continue;
      const later = settingKey(name, row)
        .split('.')
        .reduceRight<unknown>((value, key) => ({ [key]: value }), 'x') as Record<string, string>;
      const left = withoutReplaced({ [name]: 'first' } as object, later);
      expect(Object.keys(left)).toEqual(row.merge === undefined ? [] : [name]);
    }
  });
});

describe('lists and limits', () => {
  it('of files, of --settings and of options are joined, whatever each of them says', async () => {
    const { put } = place;
    for (const name of ['a', 'b', 'c', 'd']) await put(`${name}/file`, '');
    const directories = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
    const tools = fc.uniqueArray(fc.constantFrom('Bash', 'Edit', 'Write', 'WebFetch'));
    const layer = fc.record({ directories, tools });
    await fc.assert(
      fc.asyncProperty(layer, layer, layer, layer, async (user, project, given, options) => {
        const written = (from: typeof user) => ({
          permissions: { additionalDirectories: from.directories },
          excludeTools: from.tools,
        });
        await put(settingsFile, written(user));
        await put('.robota/settings.json', written(project));
        const opened = await openScripted(place, undefined, {
          trustProject: true,
          settings: [written(given)],
          additionalDirectories: options.directories,
          tools: { exclude: options.tools },
        });
        const all = [user, project, given, options];
        const wanted = new Set(all.flatMap((each) => each.directories.map((name) => join(place.cwd, name))));
        expect(new Set(opened.session.permissions.directories)).toEqual(wanted);
        const offered = opened.session.surroundings.tools?.map(({ name }) => name) ?? [];
        const excluded = new Set<string>(all.flatMap((each) => each.tools));
        expect(offered.filter((name) => excluded.has(name))).toEqual([]);
        await opened.session.shutdown();
      }),
      { numRuns: 15 },
    );
  });

  it('of a budget: the smallest of file, program and client counts, also later', async () => {
    await place.put(settingsFile, { budget: { turn: 0.1, day: 0.5, session: 9 } });
    const robota = new Robota({ home: place.home, env: {}, dailyBudget: 7 });
    const client = robota.createSession({ cwd: place.cwd, model: scriptedModel(['ok']), budget: 5 });
    await client.run('hi');
    expect(client.settings?.config.settings.budget).toEqual({ turn: 0.1, session: 5, day: 0.5 });
    await client.settings?.give({ budget: { session: 0.01 } });
    expect(client.settings?.config.settings.budget).toEqual({ turn: 0.1, session: 0.01, day: 0.5 });
    await robota.close();
  });

  it('replace nothing silently: every list that two layers may have says how it is merged', async () => {
    const lists = optionRows.filter(([, { shape, scope, flag }]) => {
      const json = JSON.stringify(shape.json);
      return json.startsWith('{"type":"array"') && (scope !== undefined || flag !== undefined);
    });
    const replaced = lists.filter(([, { merge }]) => merge === undefined).map(([name]) => name);
    // An order of preference, and a choice: the strongest layer decides alone.
    expect(replaced.sort()).toEqual(['fallbackModels', 'tools']);
  });
});

describe('sources of a program', () => {
  const open = async (sources: Parameters<Robota['query']>[1] extends infer O ? O : never) => {
    const model = scriptedModel(['ok']);
    const robota = new Robota({ home: place.home, env: {} });
    await robota.query('hi', { cwd: place.cwd, model, ...sources });
    await robota.close();
    return model.requests[0]?.system ?? '';
  };

  it('without settings, instructions, skills and agents are still read', async () => {
    await place.put('AGENTS.md', 'Root rules.');
    await place.put('~/.robota/AGENTS.md', 'Rules of the user.');
    await place.put(settingsFile, { language: 'ja' });
    const all = await open({});
    expect([all.includes('Root rules.'), all.includes('Japanese')]).toEqual([true, true]);
    const some = await open({ sources: { settings: false } });
    expect([some.includes('Root rules.'), some.includes('Rules of the user.')]).toEqual([true, true]);
    expect(some).not.toContain('Japanese');
    const none = await open({ sources: 'none' });
    const each = { settings: false, instructions: false, extensions: false, skills: false, mcp: false };
    for (const system of [none, await open({ sources: each })]) expect(system).not.toContain('ules');
  });
});

describe('bypassPermissions', () => {
  it('needs the word of the start, also in a program', async () => {
    const robota = new Robota({ home: place.home, env: {} });
    const given = { cwd: place.cwd, model: scriptedModel([]) };
    const closed = robota.createSession(given);
    await expect(closed.setPermissionMode('bypassPermissions')).rejects.toThrow('is not available');
    await closed.setPermissionMode('plan');
    const allowed = robota.createSession({ ...given, mayBypass: true });
    await allowed.setPermissionMode('bypassPermissions');
    const begun = robota.createSession({ ...given, permissionMode: 'bypassPermissions' });
    await begun.setPermissionMode('plan');
    await begun.setPermissionMode('bypassPermissions');
    expect(allowed.permissions?.mode).toBe('bypassPermissions');
    await robota.close();
  });
});

describe('an agent', () => {
  it('shows no key, neither in its own file nor in that of its parent', async () => {
    const secret = 'sk-ant-api03-environment-key-of-the-user';
    let told = 0;
    const opened = await openScripted(
      place,
      ({ system }) => {
        if (system.includes('You work for another agent')) return { text: `The key is ${secret}.` };
        if (told++ > 0) return { text: 'done' };
        return callTurn('Agent', { prompt: 'look', description: 'look', subagent_type: 'general-purpose' });
      },
      { store: 'new', apiKey: secret },
    );
    session = opened.session;
    await session.submit('go');
    const shown = session.getMessages().map(({ content }) => textOf(content));
    const root = join(place.home, '.robota', 'sessions');
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    expect(files.some((name) => name.includes('subagents'))).toBe(true);
    const texts = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')));
    expect(texts.join('\n')).toContain('The key is');
    for (const text of [...shown, ...texts]) expect(text).not.toContain(secret);
  });

  it('answers in the language of now', async () => {
    let told = 0;
    const opened = await openScripted(place, ({ system }) => {
      if (system.includes('You work for another agent')) return { text: 'looked' };
      if (told++ > 0) return { text: 'done' };
      return callTurn('Agent', { prompt: 'look', description: 'look', subagent_type: 'general-purpose' });
    });
    session = opened.session;
    await session.applySettings({ language: 'ja' });
    await session.submit('go');
    const agent = opened.provider.requests.find(({ system }) =>
      system.includes('You work for another agent'),
    );
    expect(agent?.system).toContain('Japanese');
  });
});

describe('a variable for commands', () => {
  it('whose value is an unset variable is left out, with a warning', async () => {
    const { cwd, host } = place;
    await place.put(settingsFile, { env: { A: '$ENV:MISSING_X', B: 'x$ENV:ANTHROPIC_API_KEY', C: 'c' } });
    const { settings, problems } = await loadConfig(cwd, { host });
    expect(Object.keys(settings.env)).toEqual(['B', 'C']);
    expect(problems.map(({ message }) => message)).toEqual([
      'env.A is left out: the environment variable MISSING_X is not set.',
    ]);
  });
});
