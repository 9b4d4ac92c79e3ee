import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeExport } from './write-export.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robota-export-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* pieces(...texts: string[]) {
  yield* texts;
}

async function* broken() {
  yield 'half';
  throw new Error('no more');
}

describe('the file of an export', () => {
  it('is whole and for its owner only', async () => {
    const file = join(folder, 'a.md');
    await writeExport(file, pieces('one ', 'twö'));
    expect(readFileSync(file, 'utf8')).toBe('one twö');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.md']);
  });

  it('replaces another only when told to', async () => {
    const file = join(folder, 'a.md');
    writeFileSync(file, 'mine');
    await expect(writeExport(file, pieces('new'))).rejects.toThrow(
      /already exists and was not changed.*--force/,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await writeExport(file, pieces('new'), { overwrite: true });
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a.md']);
  });

  it('is not there at all where something fails, and what was there stays', async () => {
    const file = join(folder, 'a.md');
    await expect(writeExport(file, broken())).rejects.toThrow('could not be written: no more.');
    writeFileSync(file, 'mine');
    await expect(writeExport(file, broken(), { overwrite: true })).rejects.toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['a.md']);
  });

  it('names what is wrong with a place', async () => {
    const missing = join(folder, 'none', 'a.md');
    await expect(writeExport(missing, pieces('x'))).rejects.toThrow('its directory does not exist');
    mkdirSync(join(folder, 'dir.md'));
    const directory = writeExport(join(folder, 'dir.md'), pieces('x'), { overwrite: true });
    await expect(directory).rejects.toThrow(/dir\.md is not a file/);
    expect(readdirSync(folder)).toEqual(['dir.md']);
  });

  it('replaces what a link leads to, and never a pipe or a device', async () => {
    writeFileSync(join(folder, 'real.md'), 'old');
    symlinkSync(join(folder, 'real.md'), join(folder, 'link.md'));
    await writeExport(join(folder, 'link.md'), pieces('new'), { overwrite: true });
    expect(readFileSync(join(folder, 'real.md'), 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link.md')).isSymbolicLink()).toBe(true);
    const pipe = join(folder, 'pipe.md');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
    await expect(writeExport(pipe, pieces('x'), { overwrite: true })).rejects.toThrow(/is not a file/);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
