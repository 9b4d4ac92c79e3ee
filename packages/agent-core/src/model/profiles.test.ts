import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { describeProblems } from '../problem/problem.ts';
import { activeProfile, mergeProfiles, parseProfiles } from './profiles.ts';
import { resolveModel } from './resolve-model.ts';

const user = parseProfiles({
  models: {
    active: 'fast',
    profiles: [
      {
        name: 'fast',
        provider: 'siliconflow',
        model: 'minimax-m2',
        apiKey: 'key',
        maxOutputTokens: 20_000,
        maxInputChars: 20_000,
      },
      { name: 'smart', provider: 'anthropic', model: 'claude-opus-4-6' },
    ],
  },
});

describe('profiles', () => {
  it('picks the active one, project over user, the same every time', () => {
    proves('E-17');
    expect(activeProfile(user)).toMatchObject({ ok: true, profile: { name: 'fast', vendor: 'siliconflow' } });
    const project = parseProfiles({
      models: { active: 'smart', profiles: [{ name: 'smart', provider: 'openai', model: 'gpt-5' }] },
    });
    const merged = mergeProfiles(user, project);
    expect(merged.profiles.map(({ name }) => name)).toEqual(['fast', 'smart']);
    expect(activeProfile(merged)).toMatchObject({ ok: true, profile: { model: 'gpt-5' } });
    expect(activeProfile(mergeProfiles(user, parseProfiles({})))).toEqual(activeProfile(user));
  });

  it('resolves a profile by its name before anything else', () => {
    proves('E-17');
    expect(resolveModel('fast', { profiles: user.profiles })).toMatchObject({
      ok: true,
      profile: { name: 'fast', apiKey: 'key', maxInputCharacters: 20_000 },
      vendor: { id: 'siliconflow', keyVariables: ['SILICONFLOW_API_KEY', 'SILICONFLOW_TOKEN'] },
      model: { id: 'MiniMaxAI/MiniMax-M2', maxOutput: 20_000 },
      baseUrl: 'https://api.siliconflow.cn/v1',
    });
    const named = parseProfiles({ models: { profiles: [{ name: 'sonnet', model: 'haiku' }] } });
    expect(resolveModel('sonnet', named)).toMatchObject({ model: { id: 'claude-haiku-5-5' } });
  });

  it('takes the first profile where none is active, and refuses a name that is none', () => {
    proves('E-18');
    const profiles = [
      { name: 'a', model: 'gpt-5' },
      { name: 'b', model: 'gpt-4o' },
    ];
    expect(activeProfile(parseProfiles({ models: { profiles } }))).toMatchObject({ profile: { name: 'a' } });
    expect(activeProfile(parseProfiles({ models: { active: 'c', profiles } }))).toMatchObject({
      ok: false,
      problem: {
        code: 'profile.unknown',
        message: 'Unknown profile "c".',
        values: { profile: 'c' },
        hint: 'Set models.active to one of: a, b.',
      },
    });
    expect(activeProfile(parseProfiles({ models: { active: 'c' } }))).toMatchObject({
      ok: false,
      problem: { hint: 'Define it in models.profiles.' },
    });
    expect(activeProfile(parseProfiles({}))).toEqual({ ok: true, profile: undefined });
  });

  it('reads the older form with one profile', () => {
    proves('E-19');
    const set = parseProfiles({
      model: { provider: 'siliconflow', model: 'minimax-m2', apiKey: 'k', baseUrl: 'https://x.example/v1' },
    });
    expect(set).toEqual({
      profiles: [
        {
          name: 'default',
          vendor: 'siliconflow',
          model: 'minimax-m2',
          apiKey: 'k',
          baseUrl: 'https://x.example/v1',
        },
      ],
      active: 'default',
      problems: [],
    });
    expect(resolveModel('default', set)).toMatchObject({
      ok: true,
      baseUrl: 'https://x.example/v1',
      model: { api: 'openai' },
    });
  });

  it('lets apiKind choose the adapter, openai where it is not said', () => {
    proves('E-21');
    const server = { provider: 'house', model: 'm', baseUrl: 'https://house.example' };
    const { profiles } = parseProfiles({
      models: {
        profiles: [
          { ...server, name: 'plain' },
          { ...server, name: 'claude', apiKind: 'anthropic' },
          { ...server, name: 'chat', apiKind: 'openai' },
        ],
      },
    });
    const kinds = ['plain', 'claude', 'chat'].map((name) => {
      const found = resolveModel(name, { profiles });
      return found.ok ? found.model.api : found.error;
    });
    expect(kinds).toEqual(['openai', 'anthropic', 'openai']);
  });

  it('refuses an apiKind it does not know, and only that profile', () => {
    proves('E-23');
    const set = parseProfiles({
      models: {
        active: 'bad',
        profiles: [
          { name: 'bad', provider: 'house', model: 'm', baseUrl: 'https://h.example', apiKind: 'antropic' },
          { name: 'good', model: 'gpt-5' },
        ],
      },
    });
    expect(describeProblems(set.problems)).toEqual([
      expect.stringMatching(
        /^models\.profiles\[0\]\.apiKind: expected one of "anthropic", "openai", .*, got the string "antropic"\. Did you mean "anthropic"\?$/,
      ),
    ]);
    expect(set.profiles.map(({ name }) => name)).toEqual(['good']);
    expect(activeProfile(set)).toMatchObject({
      ok: false,
      problem: {
        code: 'profile.invalid',
        message: 'The profile "bad" cannot be used.',
        details: [expect.stringContaining('apiKind: expected one of')],
      },
    });
  });

  it('says what is wrong with profiles that cannot be used', () => {
    const set = parseProfiles({
      models: {
        profiles: [
          { name: 'x', model: 'a' },
          { name: 'x', model: 'b' },
          { model: 'c' },
          1,
          { name: 'y', model: '' },
        ],
      },
    });
    expect(describeProblems(set.problems)).toContain('Duplicate profile "x"; the first one is used.');
    expect(set.problems).toHaveLength(4);
    expect(set.profiles).toEqual([{ name: 'x', model: 'a' }]);
    expect(parseProfiles([]).problems).toHaveLength(1);
    const { profiles } = parseProfiles({
      models: {
        profiles: [
          { name: 'z', provider: 'siliconfow', model: 'm' },
          { name: 'w', model: 'sonet' },
        ],
      },
    });
    expect(resolveModel('z', { profiles })).toMatchObject({ ok: false, near: ['siliconflow'] });
    expect(resolveModel('w', { profiles })).toMatchObject({
      ok: false,
      error: expect.stringContaining('profile "w"'),
      near: ['sonnet'],
    });
  });
});
