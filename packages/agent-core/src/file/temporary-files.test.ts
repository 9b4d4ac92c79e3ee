import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';

const core = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** Stops the clock of a program: however long the start takes, its files have the same age. */
const clockAt = (time: number) => `
  Date.now = () => ${time};`;

/** A program that makes temporary files in a directory; then it ends in its own way. */
const program = (notes: string, file: string, { begin = '', end = '' }) => `
  import { writeFileSync, renameSync } from 'node:fs';
  import { noteTemporaryFiles, temporaryBeside, temporaryGone } from ${JSON.stringify(core)};
  ${begin}
  noteTemporaryFiles(${JSON.stringify(notes)});
  const done = temporaryBeside(${JSON.stringify(file)});
  writeFileSync(done, 'whole');
  renameSync(done, ${JSON.stringify(file)});
  temporaryGone(done);
  ${end}`;

const half = (file: string) => `
  writeFileSync(temporaryBeside(${JSON.stringify(file)}), 'half');
  console.log('waiting');
  setInterval(() => {}, 1000);`;

it('files that a killed process left are removed by the next one, and nothing else is', async () => {
  const root = await temporaryDirectory();
  const notes = join(root, 'notes');
  const work = join(root, 'work');
  mkdirSync(work);
  writeFileSync(join(work, '.robota-0123456789abcdef.tmp'), 'not noted');
  const file = join(work, 'file');
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    program(notes, file, { end: half(file) }),
  ]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const [left = ''] = readdirSync(work).filter((name) => name.endsWith('.tmp') && !/0123456789/.test(name));
  const { ctimeMs } = statSync(join(work, left));
  const runLater = (milliseconds: number) => {
    const text = program(notes, file, { begin: clockAt(ctimeMs + milliseconds) });
    execFileSync(process.execPath, ['--input-type=module', '-e', text]);
  };
  expect(readdirSync(work)).toHaveLength(3);
  // It may belong to another container as long as it is young.
  for (const milliseconds of [0, 4_900]) {
    runLater(milliseconds);
    expect(readdirSync(work)).toHaveLength(3);
  }
  runLater(5_100);
  expect(readdirSync(work).sort()).toEqual(['.robota-0123456789abcdef.tmp', 'file']);
  expect(readdirSync(notes)).toEqual([]);
});

it('folders that a killed process left in the directory for temporary files are removed by the next one', async () => {
  const root = await temporaryDirectory();
  const notes = join(root, 'notes');
  const temporary = join(root, 'tmp');
  mkdirSync(join(temporary, 'robota-other-abcdef'), { recursive: true });
  const options = { env: { ...process.env, TMPDIR: temporary } };
  const begin = `
  import { mkdirSync } from 'node:fs';
  import { noteTemporaryFiles, sandboxFolder } from ${JSON.stringify(core)};`;
  const killed = `${begin}
  noteTemporaryFiles(${JSON.stringify(notes)});
  const folder = sandboxFolder();
  mkdirSync(folder + '/unreadable', { mode: 0 });
  process.kill(process.pid, 'SIGKILL');`;
  expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', killed], options)).toThrow();
  const [left = ''] = readdirSync(temporary).filter((name) => name.startsWith('robota-sandbox-'));
  const { ctimeMs } = statSync(join(temporary, left));
  const later = `${begin}${clockAt(ctimeMs + 5_100)} noteTemporaryFiles(${JSON.stringify(notes)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', later], options);
  expect(readdirSync(temporary)).toEqual(['robota-other-abcdef']);
});

it('a note cannot name files of others', async () => {
  const root = await temporaryDirectory();
  const notes = join(root, 'notes');
  mkdirSync(notes);
  const precious = join(root, 'precious.tmp');
  writeFileSync(precious, 'mine');
  const old = new Date(0);
  utimesSync(precious, old, old);
  writeFileSync(join(notes, '999999999'), `${JSON.stringify(precious)}\n{"broken\n${JSON.stringify(root)}\n`);
  execFileSync(process.execPath, ['--input-type=module', '-e', program(notes, join(root, 'file'), {})]);
  expect(existsSync(precious)).toBe(true);
  expect(readdirSync(notes)).toEqual([]);
});
