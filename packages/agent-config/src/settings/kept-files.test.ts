import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadStoredKeys } from '../credentials/credentials.ts';
import { OAuthStore } from '../credentials/oauth-store.ts';
import { userPaths } from '../host/paths.ts';
import { trustKinds } from '../trust/trust-item.ts';
import { readTrust, rememberTrust } from '../trust/trust-store.ts';

const home = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'robota-kept-'));
const host = { env: {}, home };
const server = 'https://x.test/mcp';

function keep(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
}

it('reads any JSON as decisions about a project, and keeps the usable ones', async () => {
  const fields = ['kind', 'name', 'hash', 'content', 'scripts'];
  const near = fc.constantFrom('hook', 'x', [['a', 'b'], ['c'], 5]);
  const entry = fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), near));
  const entries = fc.oneof(fc.jsonValue(), fc.array(entry));
  await fc.assert(
    fc.asyncProperty(entries, entries, async (trusted, never) => {
      keep(userPaths(host).trust, { projects: { [home]: { trusted, never } } });
      const read = await readTrust(home, host);
      expect([...read.trusted, ...read.never].every((hash) => typeof hash === 'string')).toBe(true);
      for (const { kind, name, content = '', scripts = [] } of read.agreed) {
        expect(Object.keys(trustKinds)).toContain(kind);
        expect([name, content, ...scripts.flat()].every((each) => typeof each === 'string')).toBe(true);
        for (const pair of scripts) expect(pair).toHaveLength(2);
      }
    }),
  );
});

it('leaves the decisions about other projects as they are', async () => {
  keep(userPaths(host).trust, { version: 9, projects: { '/other': { trusted: [{ hash: 1, extra: 2 }] } } });
  const item = { kind: 'hook', name: 'Stop', content: 'run', source: 's:1', hash: 'h' } as const;
  await rememberTrust(home, { trust: [item], never: [] }, host);
  expect((await readTrust(home, host)).agreed).toEqual([
    { kind: 'hook', name: 'Stop', hash: 'h', content: 'run' },
  ]);
  const { readJsonFile } = await import('../file/read-json.ts');
  const kept = (await readJsonFile(userPaths(host).trust))?.value;
  expect(kept).toMatchObject({ version: 9, projects: { '/other': { trusted: [{ hash: 1, extra: 2 }] } } });
});

it('reads any JSON as keys and logins', async () => {
  const path = userPaths(host).auth;
  const near = fc.constantFrom('sk-1', { key: 'sk-2' }, { key: 5 }, { type: 'oauth' });
  const login = fc.dictionary(fc.constantFrom('tokens', 'client', 'redirectUrl', 'scope'), fc.jsonValue());
  const entry = fc.oneof(fc.jsonValue(), near);
  await fc.assert(
    fc.asyncProperty(entry, fc.oneof(fc.jsonValue(), login), async (vendor, kept) => {
      keep(path, { vendor, mcp: { [server]: kept } });
      const keys = await loadStoredKeys(path);
      expect(Object.values(keys).every((key) => typeof key === 'string')).toBe(true);
      const store = new OAuthStore(server, host);
      const { tokens = {}, client = {}, redirectUrl = '', scope = '' } = await store.read();
      expect(store.readNow()).toEqual(await store.read());
      expect([typeof tokens, typeof client, typeof redirectUrl, typeof scope]).toEqual([
        'object',
        'object',
        'string',
        'string',
      ]);
    }),
  );
});
