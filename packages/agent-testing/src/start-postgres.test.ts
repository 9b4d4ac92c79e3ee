import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type PostgresServer, startPostgres, withoutPostgres } from './start-postgres.ts';

describe.skipIf(withoutPostgres !== '')(`a Postgres server for tests${withoutPostgres}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server?.stop());

  it('gives databases of their own, also as copies', async () => {
    const first = await server.createDatabase();
    expect(ask(first, 'create table t (n int); insert into t values (7); select n from t')).toBe('7');
    const copy = await server.createDatabase(first);
    expect(ask(copy, 'update t set n = 8; select n from t')).toBe('8');
    expect(ask(first, 'select n from t')).toBe('7');
    expect(() => ask(server.url, 'select n from t')).toThrow('"t" does not exist');
  });

  it('needs the password', () => {
    const url = new URL(server.url);
    url.password = 'wrong';
    expect(() => ask(url.href, 'select 1')).toThrow('password authentication failed');
  });

  it.skipIf(process.platform !== 'linux')(
    'is gone with its directory after the process that started it was killed',
    async () => {
      const module = fileURLToPath(new URL('../dist/start-postgres.js', import.meta.url));
      const code = `import(${JSON.stringify(module)}).then(async ({ startPostgres }) => {
      const server = await startPostgres();
      console.log(server.pid);
      setInterval(() => {}, 1000);
    });`;
      const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      const pid = await new Promise<number>((resolve) =>
        child.stdout.once('data', (text) => resolve(Number(text))),
      );
      const directory = readlinkSync(`/proc/${pid}/cwd`);
      expect(existsSync(join(directory, 'postmaster.pid'))).toBe(true);
      child.kill('SIGKILL');
      while (existsSync(join(directory, '..')) || existsSync(`/proc/${pid}`)) await sleep(20);
    },
  );
});

function ask(url: string, statements: string): string {
  const psql = join(findPostgres() ?? '', 'psql');
  return execFileSync(psql, ['-qXAt', '-d', url, '-c', statements], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}
