import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from '../store/jsonl-store.ts';
import { resolveSession } from './resolve-session.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import { StoreCatalogue } from './store-catalogue.ts';

let home: string;
let store: JsonlSessionStore;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'robota-catalogue-'));
  store = new JsonlSessionStore({ home });
  const conversations = [
    ['alpha', 'fix the flaky cart test', 'The cart test waits for a clock.'],
    ['beta', 'explain the clock', 'A clock is shown on the page.'],
    ['gamma', 'rename the module', 'Done.'],
  ] as const;
  for (const [id, prompt, answer] of conversations) {
    const handle = await store.create({ cwd: id === 'gamma' ? join(home, 'other') : home, id });
    const messages = [user(prompt), call('t1'), result('t1', `output of ${id}`), assistant(answer)];
    await handle.appendAll(messages.map((message) => ({ type: 'message', message })));
    if (id === 'beta') await handle.setName('About time');
    await handle.close();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('StoreCatalogue', () => {
  const outlines = async (query: string, filter: { cwd?: string; limit?: number; role?: 'tool' } = {}) => {
    const finders = [new SessionCatalogue({ home }), new StoreCatalogue(store)];
    const findings = await Promise.all(finders.map((finder) => finder.search({ query, ...filter })));
    return findings.map(({ found, ...counts }) => ({
      ...counts,
      found: found.map(({ session: { id }, ...match }) => ({ id, ...match })),
    }));
  };

  it.each([
    ['clock', {}],
    ['"cart test"', {}],
    ['output', { role: 'tool' as const }],
    ['module', { cwd: true }],
    ['the', { limit: 1 }],
    ['time', {}],
    ['nowhere', {}],
  ])('finds for %s the same as the catalogue of files', async (query, filter) => {
    const scope = { ...filter, ...('cwd' in filter ? { cwd: home } : { cwd: undefined }) };
    const { cwd, ...rest } = scope;
    const [ofFiles, ofStore] = await outlines(query, { ...rest, ...(cwd === undefined ? {} : { cwd }) });
    expect(ofStore).toEqual(ofFiles);
  });

  it('finds a session by its id, its name, its first prompt and words in it', async () => {
    const catalogue = new StoreCatalogue(store);
    const find = async (reference: string) => {
      const resolution = await resolveSession(reference, catalogue, { cwd: home });
      return resolution.kind === 'found' ? [resolution.session.id, resolution.by] : resolution.kind;
    };
    expect(await find('gam')).toEqual(['gamma', 'id']);
    expect(await find('about')).toEqual(['beta', 'name']);
    expect(await find('fix the flaky cart test')).toEqual(['alpha', 'title']);
    expect(await find('page')).toEqual(['beta', 'text']);
    expect(await find('nowhere')).toBe('none');
  });

  it('lists newest first, and counts those of other directories', async () => {
    const { sessions, elsewhere } = await new StoreCatalogue(store).list({ cwd: home });
    expect(sessions.map(({ id, path }) => [id, path])).toEqual([
      ['beta', 'beta'],
      ['alpha', 'alpha'],
    ]);
    expect(elsewhere).toBe(1);
  });
});
