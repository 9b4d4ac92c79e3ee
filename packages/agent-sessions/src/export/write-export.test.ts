import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
    await expect(writeExport(file, pieces('new'))).rejects.toThrow(/exists already and was left.*--force/);
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
    await expect(directory).rejects.toThrow(/could not be written/);
    expect(readdirSync(folder)).toEqual(['dir.md']);
  });
});
