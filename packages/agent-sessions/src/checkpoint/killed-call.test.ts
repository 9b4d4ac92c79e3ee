import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { RewindFixture } from './fixtures/rewind-fixture.ts';

/** Keeps what it may change, changes it as told, and waits to be killed in the middle of its call. */
const startCall = `
  import { execFileSync } from 'node:child_process';
  import { writeSync } from 'node:fs';
  import { Checkpoints } from './checkpoints.ts';

  const [directory, cwd, path, change] = process.argv.slice(2);
  const tree = { leafId: '00000001', path: () => [], entries: () => [] };
  const workspace = { cwd, additional: [], home: cwd };
  const checkpoints = new Checkpoints({ directory, workspace, tree, onProblem: (text) => { throw new Error(text); } });
  const write = { kind: 'write', path, real: path };
  const access = [path === '' ? { kind: 'run', command: 'make', cwd } : write];
  await checkpoints.beforeExecute({ tool: { name: 'Write' }, call: { id: 'c' }, access });
  if (change !== '') execFileSync('bash', ['-c', change], { cwd });
  writeSync(1, 'ready');
  setInterval(() => {}, 1000);
`;

async function killInCall(place: RewindFixture, change: string, path = place.path('a')): Promise<void> {
  const script = join(place.root, 'call.mjs');
  await build({
    stdin: { contents: startCall, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@robota-sdk/source'],
  });
  const args = [script, place.directory, place.cwd, path, change];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<string | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
  child.stdout.once('data', () => child.kill('SIGKILL'));
  expect(await ended).toBe('SIGKILL');
}

it('knows nothing to undo after kill -9 between the before-image and the write', async () => {
  const place = new RewindFixture();
  writeFileSync(place.path('a'), 'original');
  place.prompt('change it');
  await killInCall(place, '');
  place.open();
  expect(await place.rewind(1)).toEqual({ restored: [], left: new Map() });
  expect(readFileSync(place.path('a'), 'utf8')).toBe('original');
});

it('brings the original back after kill -9 in the middle of the write, once it was asked about', async () => {
  const place = new RewindFixture();
  writeFileSync(place.path('a'), 'original');
  place.prompt('change it');
  await killInCall(place, 'printf half > a');
  // The last line may lack its end, too.
  appendFileSync(join(place.directory, 'checkpoints', 'changes.jsonl'), '{"type":"after","id":"to');
  place.open();
  await place.write('b', (path) => writeFileSync(path, 'b'));
  place.open();
  const { restored, left } = await place.rewind(1);
  expect(restored).toEqual([place.path('b')]);
  expect(left.get(place.path('a'))).toContain('cut off');
  await place.rewind(1, { overwrite: true });
  expect(readFileSync(place.path('a'), 'utf8')).toBe('original');
});

it('finds what a command has changed that was running when the process was killed', async () => {
  const place = new RewindFixture();
  for (const name of ['a', 'b', 'c']) writeFileSync(place.path(name), name);
  place.git('init', '-q');
  place.git('add', 'a');
  const before = place.state();
  place.prompt('run it');
  await killInCall(place, 'echo changed > a; rm b; mkdir d; echo created > d/e', '');
  place.open();
  const [turn] = await place.checkpoints.turns();
  expect(turn?.files.map(({ path }) => path.slice(place.cwd.length + 1)).sort()).toEqual(['a', 'b', 'd/e']);
  expect(turn?.unknown).toEqual([expect.stringContaining('cut off')]);
  expect((await place.rewind(1)).restored).toEqual([]);
  place.open();
  await place.rewind(1, { overwrite: true });
  expect(place.state()).toEqual(before);
});
