import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { RewindPlace } from './fixtures/rewind-place.ts';

/** Keeps the file, changes it as told, and waits to be killed in the middle of its call. */
const startCall = `
  import { writeFileSync, writeSync } from 'node:fs';
  import { Checkpoints } from './checkpoints.ts';

  const [directory, cwd, path, change] = process.argv.slice(2);
  const tree = { leafId: '00000001', path: () => [], entries: () => [] };
  const workspace = { cwd, additional: [], home: cwd };
  const checkpoints = new Checkpoints({ directory, workspace, tree, onProblem: (text) => { throw new Error(text); } });
  const access = [{ kind: 'write', path, real: path }];
  await checkpoints.beforeExecute({ tool: { name: 'Write' }, call: { id: 'c' }, access });
  if (change !== '') writeFileSync(path, change);
  writeSync(1, 'ready');
  setInterval(() => {}, 1000);
`;

async function killInCall(place: RewindPlace, change: string): Promise<void> {
  const script = join(place.root, 'call.mjs');
  await build({
    stdin: { contents: startCall, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@robota-sdk/source'],
  });
  const args = [script, place.directory, place.cwd, place.path('a'), change];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<string | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
  child.stdout.once('data', () => child.kill('SIGKILL'));
  expect(await ended).toBe('SIGKILL');
}

it('knows nothing to undo after kill -9 between the before-image and the write', async () => {
  const place = new RewindPlace();
  writeFileSync(place.path('a'), 'original');
  place.prompt('change it');
  await killInCall(place, '');
  place.open();
  expect(await place.rewind(1)).toEqual({ restored: [], left: new Map() });
  expect(readFileSync(place.path('a'), 'utf8')).toBe('original');
});

it('brings the original back after kill -9 in the middle of the write, once it was asked about', async () => {
  const place = new RewindPlace();
  writeFileSync(place.path('a'), 'original');
  place.prompt('change it');
  await killInCall(place, 'half');
  // What was written last may lack its end, too.
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
