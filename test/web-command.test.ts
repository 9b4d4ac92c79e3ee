import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { anthropicReply, robotaBin, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { enterWeb, startWeb } from './web-program.ts';

const certificate = new URL('../packages/agent-web/src/server/fixtures/', import.meta.url).pathname;
const pair = ['--cert', join(certificate, 'lan-cert.pem'), '--key', join(certificate, 'lan-key.pem')];

/** A folder with a browser, as the desktop would start it. */
async function programs(browser: string): Promise<string> {
  const folder = await temporaryDirectory('robota-programs');
  await writeFile(join(folder, 'xdg-open'), browser, { mode: 0o755 });
  return folder;
}

describe('robota web', () => {
  let home: string;
  let cwd: string;
  beforeAll(async () => {
    home = await temporaryDirectory('robota-home');
    cwd = await temporaryDirectory();
  });

  it('prints one address, knows its devices across a kill, and forgets those that are revoked', async () => {
    const opened = join(cwd, 'opened');
    // A browser that keeps what it was given: a file of ours that leads to the address.
    const browser = `#!/bin/sh\necho "$1" > ${opened}.part; cat "\${1#file://}" >> ${opened}.part; mv ${opened}.part ${opened}\n`;
    const env = { PATH: `${await programs(browser)}:${process.env.PATH}` };
    const first = await startWeb({ cwd, home, args: ['--port', '0', '--open'], env });
    await expect.poll(() => existsSync(opened)).toBe(true);
    const [given = '', markup] = readFileSync(opened, 'utf8').split('\n');
    expect(given).toMatch(/^file:\/\/.*\.robota\/web\/open-[\w-]+\.html$/);
    expect(given).not.toContain(first.token);
    expect(markup).toContain(`url=${first.address}"`);
    expect(statSync(given.slice('file://'.length)).mode & 0o777).toBe(0o600);
    expect(first.output().stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n$/);
    const headers = await enterWeb(first);
    const port = new URL(first.origin).port;
    await first.stop('SIGKILL');
    const failing = { PATH: `${await programs('#!/bin/sh\nexit 3\n')}:${process.env.PATH}` };
    const second = await startWeb({ cwd, home, args: ['--port', port, '--open'], env: failing });
    await expect
      .poll(() => second.output().stderr)
      .toContain('xdg-open could not open a browser (exit code 3)');
    const read = () => fetch(`${second.origin}/api/devices`, { headers });
    expect((await read()).status).toBe(200);
    const listed = await runRobota(['web', 'devices'], { cwd, home });
    const [, id = ''] = /^([0-9a-f]{16}) {2}Chrome on Linux {2}http:\/\/127/.exec(listed.stdout) ?? [];
    const asJson = await runRobota(['web', 'devices', '--json'], { cwd, home });
    expect(JSON.parse(asJson.stdout)).toMatchObject([{ id, name: 'Chrome on Linux', origin: second.origin }]);
    expect(asJson.stdout).not.toMatch(/hash/i);
    expect(await runRobota(['web', 'devices', 'revoke', id], { cwd, home })).toMatchObject({
      code: 0,
      stderr: 'Revoked.\n',
    });
    expect((await read()).status).toBe(401);
    const again = await runRobota(['web', 'devices', 'revoke', id], { cwd, home });
    expect(again).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Unknown device ${id}`),
    });
    expect(await second.stop('SIGTERM')).toBe(143);
    // No secret of a device is in a file; of a killed server, the way to its address is left for a minute.
    const folder = join(home, '.robota', 'web');
    expect(readdirSync(folder).filter((name) => !name.startsWith('open-'))).toEqual([]);
  });

  it('is served over TLS to a network, with commands of the page off', async () => {
    const web = await startWeb({ cwd, home, args: ['--lan', ...pair, '--open'], env: { PATH: '/nowhere' } });
    await expect.poll(() => web.output().stderr).toContain('No browser found: xdg-open cannot be started.');
    expect(web.address).toMatch(/^https:\/\/devbox\.test:\d+\/#/);
    await expect(fetch(`http://127.0.0.1:${new URL(web.origin).port}/`)).rejects.toThrow();
    expect(await web.stop()).toBe(0);
  });
});

describe('without web', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.server.close());

  it('robota loads none of it', async () => {
    const folder = join(robotaBin, '../chunks');
    const names: string[] = JSON.parse(readFileSync(join(robotaBin, '../chunks.json'), 'utf8'));
    // The name of the cookie, and the start of the page: the server and what it serves.
    const ofWeb = names.filter((name) =>
      /robota-web-|require-trusted-types-for/.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(ofWeb).not.toEqual([]);
    const coverage = await temporaryDirectory('robota-coverage');
    const env = { NODE_V8_COVERAGE: coverage };
    stage.server.reply(anthropicReply({ text: 'hi' }));
    await stage.robota(['-p', 'hi', '--model', 'claude-sonnet-4-6'], { env });
    await stage.robota(['sessions', 'list'], { env });
    const reports = await Promise.all(
      (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
    );
    expect(reports).toHaveLength(2);
    const loaded = reports.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result);
    const files = new Set(loaded.map(({ url }) => basename(url)));
    expect(names.some((name) => files.has(name))).toBe(true);
    expect(ofWeb.filter((name) => files.has(name))).toEqual([]);
  });
});
