import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { robotaBin, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';

/** A folder of kept compilations, and a command that uses it. */
async function openFolder() {
  const cwd = await temporaryDirectory();
  const folder = join(await temporaryDirectory('robota-code'), 'code');
  const kept = () => {
    // Node may keep some of its own beside it.
    const code = join(folder, readdirSync(folder).find((name) => name.startsWith('code-')) ?? '');
    const [kind = ''] = readdirSync(code).map((name) => join(code, name));
    return { code, kind, files: readdirSync(kind).map((name) => join(kind, name)) };
  };
  const run = (words = ['sessions', 'list', '--all'], cache = folder) =>
    runRobota(words, { cwd, env: { NODE_COMPILE_CACHE: cache } });
  const settle = async () => {
    for (let runs = 0; runs < 3; runs++) await run();
  };
  return { folder, kept, run, settle };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const timesOf = (paths: readonly string[]) => paths.map((path) => statSync(path).mtimeMs);
const sizesOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0);

describe('compiled code', () => {
  it('is kept for the user alone, used again, and replaced where it is damaged, stale or foreign', async () => {
    const { kept, run, settle } = await openFolder();
    const first = await run();
    await settle();
    expect(first).toMatchObject({ code: 0, stderr: 'No saved sessions yet.\n' });
    const { code, kind, files } = kept();
    expect(files.length).toBeGreaterThan(2);
    for (const path of [code, kind]) expect(modeOf(path)).toBe(0o700);
    for (const path of files) expect(modeOf(path)).toBe(0o600);
    for (const path of files)
      expect(existsSync(join(robotaBin, '../chunks', path.slice(kind.length)))).toBe(true);

    const [damaged = '', stale = '', foreign = '', ...untouched] = files;
    const whole = readFileSync(damaged);
    writeFileSync(damaged, Buffer.concat([whole.subarray(0, 600), Buffer.alloc(whole.length - 600, 0xa5)]));
    writeFileSync(stale, Buffer.concat([Buffer.from('0123456789abcdef'), readFileSync(stale).subarray(16)]));
    chmodSync(foreign, 0o666);
    const ofGoneChunk = join(kind, 'start-of-another-build.js');
    writeFileSync(ofGoneChunk, 'old');
    const before = timesOf(untouched);
    expect(await run()).toEqual(first);
    expect(kept().files).toEqual(files);
    expect(readFileSync(damaged).subarray(0, 16)).toEqual(whole.subarray(0, 16));
    expect(readFileSync(stale).subarray(0, 16)).not.toEqual(Buffer.from('0123456789abcdef'));
    expect(modeOf(foreign)).toBe(0o600);
    expect(timesOf(untouched)).toEqual(before);
  });

  it('gets what the next two runs compile, and is then left alone', async () => {
    const { kept, run, settle } = await openFolder();
    await run(['sessions', 'list', '--help']);
    const ofHelp = kept().files;
    const small = sizesOf(ofHelp);
    await settle();
    expect(sizesOf(ofHelp)).toBeGreaterThan(small);
    const { files } = kept();
    const settled = timesOf(files);
    expect(await run()).toMatchObject({ code: 0 });
    expect(timesOf(files)).toEqual(settled);
  });

  it('is not needed: a folder that cannot be made changes nothing', async () => {
    const { folder, run } = await openFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), '');
    expect(await run(undefined, join(folder, 'file'))).toMatchObject({
      code: 0,
      stderr: 'No saved sessions yet.\n',
    });
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
