import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { makeRepository, pluginFiles, writeTree } from '../plugins/fixtures/plugin-stage.ts';
import { runGit } from '../process/run-git.ts';
import { fetchGit } from './fetch-git.ts';

const envOf = ({ host, home }: TestProject, more: Record<string, string> = {}) => ({
  ...host.env,
  HOME: home,
  ...more,
});

describe('fetchGit', () => {
  it('runs no hooks and no filters, whatever the user’s git is set to', async () => {
    proves('R-63');
    const place = await makeTestProject();
    const marker = join(place.cwd, 'ran');
    const hook = `#!/bin/sh\ntouch ${marker}\n`;
    writeTree(place.home, {
      'hooks/post-checkout.sh': hook,
      'template/hooks/post-checkout.sh': hook,
      '.gitconfig': `[core]\n\thooksPath = ${place.home}/hooks\n[init]\n\ttemplateDir = ${place.home}/template\n`,
    });
    const { execFileSync } = await import('node:child_process');
    for (const folder of ['hooks', 'template/hooks'])
      execFileSync('mv', ['post-checkout.sh', 'post-checkout'], { cwd: join(place.home, folder) });
    const repository = makeRepository(join(place.cwd, 'repo'), pluginFiles('p'));
    const into = join(place.cwd, 'into');
    const commit = await fetchGit({ kind: 'git', url: repository.url }, into, { env: envOf(place) });
    expect(commit).toBe(repository.git('rev-parse', 'HEAD'));
    expect(existsSync(join(into, 'commands/hello.md'))).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });

  it('is not led into the repository of a git command around it, and brings one commit only', async () => {
    proves('R-63');
    const place = await makeTestProject();
    const around = makeRepository(join(place.cwd, 'around'), { 'a.md': 'a' });
    const repository = makeRepository(join(place.cwd, 'repo'), pluginFiles('p'));
    repository.commit({ 'b.md': 'b' });
    const before = around.git('rev-parse', 'HEAD');
    const into = join(place.cwd, 'into');
    const env = envOf(place, { GIT_DIR: join(around.path, '.git'), GIT_WORK_TREE: around.path });
    await fetchGit({ kind: 'git', url: repository.url }, into, { env });
    expect(around.git('rev-parse', 'HEAD')).toBe(before);
    expect(await runGit(['rev-list', '--count', 'HEAD'], { cwd: into, env })).toBe('1\n');
  });

  it('refuses commands instead of addresses', async () => {
    proves('R-63');
    const place = await makeTestProject();
    const marker = join(place.cwd, 'ran');
    for (const url of [`ext::sh -c touch% ${marker}`, `--upload-pack=touch ${marker}`]) {
      const fetched = fetchGit({ kind: 'git', url }, join(place.cwd, 'into'), { env: envOf(place) });
      await expect(fetched, url).rejects.toThrow(/git says/);
    }
    expect(existsSync(marker)).toBe(false);
  });

  it('ends git when it takes too long or is not wanted any more', async () => {
    proves('R-63');
    const place = await makeTestProject();
    let requested = () => {};
    const server = createServer(() => requested());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
    const stop = new AbortController();
    requested = () => stop.abort(new Error('enough'));
    const into = join(place.cwd, 'into');
    const aborted = fetchGit({ kind: 'git', url }, into, { env: envOf(place), signal: stop.signal });
    await expect(aborted).rejects.toThrow('enough');
    const late = runGit(['ls-remote', '--', url], { cwd: place.cwd, env: envOf(place), timeoutMs: 300 });
    await expect(late).rejects.toThrow(/took too long/);
    server.closeAllConnections();
    server.close();
  });
});
