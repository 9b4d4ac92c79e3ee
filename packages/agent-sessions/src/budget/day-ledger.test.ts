import { appendFile, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileDayLedger } from './day-ledger.ts';

const newDirectory = async () => join(await mkdtemp(join(tmpdir(), 'robota-spending-')), 'spending');

describe('FileDayLedger', () => {
  it('adds up what several processes spend on a day', async () => {
    const directory = await newDirectory();
    const one = new FileDayLedger({ directory });
    const other = new FileDayLedger({ directory });
    expect(await one.today()).toBe(0);
    one.add(0.25);
    other.add(0.5);
    await other.today();
    expect(await one.today()).toBeCloseTo(0.75);
    other.add(1);
    await other.today();
    expect(await one.today()).toBeCloseTo(1.75);
    const [file = ''] = await readdir(directory);
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  });

  it('counts an amount once, however many ask at the same time', async () => {
    const directory = await newDirectory();
    new FileDayLedger({ directory }).add(0.25);
    const ledger = new FileDayLedger({ directory });
    expect(await Promise.all([ledger.today(), ledger.today(), ledger.today()])).toEqual([0.25, 0.25, 0.25]);
  });

  it('starts again at midnight', async () => {
    let time = new Date(2026, 0, 31, 23, 59);
    const ledger = new FileDayLedger({ directory: await newDirectory(), now: () => time });
    ledger.add(2);
    expect(await ledger.today()).toBe(2);
    time = new Date(2026, 1, 1, 0, 1);
    expect(await ledger.today()).toBe(0);
  });

  it('passes over lines that are damaged or still being written', async () => {
    const directory = await newDirectory();
    const now = () => new Date(2026, 4, 5);
    const ledger = new FileDayLedger({ directory, now });
    ledger.add(1);
    await ledger.today();
    const file = join(directory, '2026-05-05.jsonl');
    await appendFile(file, 'rubbish\n{"cost":-3}\n{"cost":0.5}\n{"cost":0.');
    expect(await ledger.today()).toBe(1.5);
    await appendFile(file, '25}\n');
    expect(await ledger.today()).toBe(1.75);
  });

  it('keeps an amount that comes after a line which was cut off', async () => {
    const directory = await newDirectory();
    const now = () => new Date(2026, 4, 5);
    const ledger = new FileDayLedger({ directory, now });
    ledger.add(1);
    await ledger.today();
    await appendFile(join(directory, '2026-05-05.jsonl'), '{"cost":0.');
    ledger.add(2);
    expect(await ledger.today()).toBe(3);
    expect(await new FileDayLedger({ directory, now }).today()).toBe(3);
  });

  it('returns where no directory can be made, as in /proc', async () => {
    const ledger = new FileDayLedger({ directory: '/proc/self/robota/spending' });
    ledger.add(1);
    expect(await ledger.today()).toBe(1);
  });

  it('says once that nothing can be written, and still counts what this process spends', async () => {
    const directory = await newDirectory();
    await writeFile(directory, 'a file instead of the directory');
    const problems: string[] = [];
    const ledger = new FileDayLedger({ directory, onProblem: (message) => void problems.push(message) });
    ledger.add(1);
    ledger.add(2);
    expect(await ledger.today()).toBe(3);
    expect(problems).toEqual([expect.stringContaining(directory)]);
  });
});
