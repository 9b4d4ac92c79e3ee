import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
beforeEach(async () => {
  stage.server.handle(() => anthropicReply({ text: 'The answer.' }));
});

async function extension(setup: string): Promise<void> {
  const folder = join(stage.home, '.robota', 'extensions');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'own.mjs'), `export default { name: 'own', setup(host) { ${setup} } };`);
}

describe('an extension that fails after its call returned', () => {
  it.each([
    ['throws later', "setTimeout(() => { throw new Error('too late'); }, 1);"],
    ['leaves a promise that fails', "void Promise.reject(new Error('too late'));"],
  ])('%s: it is told with its file, and the answer still comes', async (_, setup) => {
    await extension(setup);
    const result = await stage.robota(['-p', 'hi']);
    expect(result).toMatchObject({ code: 0, stdout: 'The answer.\n' });
    expect(result.stderr).toContain('own.mjs failed: too late');
  });

  it('waits for what never comes: that is an error, and never an empty success', async () => {
    await extension("host.command({ name: 'stuck', description: '', run: () => new Promise(() => {}) });");
    const result = await stage.robota(['-p', '/stuck']);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('ended without a result');
  });
});
