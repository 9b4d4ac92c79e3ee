import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitText, limitToolOutput, OutputBuffer } from './limit-output.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'robota-limit-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const options = () => ({ outputDir: join(directory, 'outputs'), name: 'call:1/..' });

describe('limitText', () => {
  it('leaves 30,000 characters alone and cuts the middle out of more', async () => {
    proves('C-78');
    const short = 'x'.repeat(30_000);
    expect(await limitText(short, options())).toEqual({ text: short });
    expect(await readdir(directory)).toEqual([]);

    const long = `START\n${'line\n'.repeat(20_000)}END`;
    const { text, file } = await limitText(long, options());
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.startsWith('START\nline')).toBe(true);
    expect(text.endsWith('line\nEND')).toBe(true);
    const [, characters, lines] =
      text.match(/\[\.\.\. (\d+) characters \((\d+) lines\) left out; full text in (.+) \.\.\.\]/) ?? [];
    const kept = text.replace(/\n\n\[\.\.\. .* \.\.\.\]\n\n/, '');
    expect(Number(characters)).toBe(long.length - kept.length);
    expect(Number(lines)).toBe(long.split('\n').length - kept.split('\n').length);
    expect(text).toContain(`full text in ${file}`);
    expect(await readFile(file ?? '', 'utf8')).toBe(long);
  });

  it('keeps the full text private', async () => {
    proves('C-78');
    const { file = '' } = await limitText('x'.repeat(40_000), options());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'outputs'))).mode & 0o777).toBe(0o700);
  });

  it('never splits a character and never exceeds the limit', async () => {
    proves('C-78');
    const character = fc.constantFrom('a', '\n', 'é', '😀', '🏳️‍🌈', '中');
    const text = fc.array(character, { minLength: 0, maxLength: 2_000 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 300, max: 900 }), async (whole, limit) => {
        const limited = await limitText(whole, { ...options(), limit, fileLimit: 10 });
        expect(limited.text.length).toBeLessThanOrEqual(limit);
        expect(/\p{Surrogate}/u.test(limited.text)).toBe(false);
        expect((await limitText(limited.text, { ...options(), limit })).text).toBe(limited.text);
      }),
      { numRuns: 40 },
    );
  });

  it('says so where the full text cannot be saved', async () => {
    await writeFile(join(directory, 'outputs'), 'in the way');
    const { text, file } = await limitText('x'.repeat(40_000), options());
    expect(file).toBeUndefined();
    expect(text).toMatch(/could not be saved: .*is not a directory/);
  });

  it('gives two outputs of one name two files', async () => {
    const first = await limitText('a'.repeat(40_000), options());
    const second = await limitText('b'.repeat(40_000), options());
    expect(first.file).not.toBe(second.file);
    expect(await readFile(first.file ?? '', 'utf8')).toBe('a'.repeat(40_000));
  });
});

describe('OutputBuffer', () => {
  it('gives the same for pieces as for the whole', async () => {
    proves('C-78');
    const pieces = fc.array(fc.string({ maxLength: 300, unit: 'grapheme' }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const buffer = new OutputBuffer({ ...options(), limit: 400 });
        for (const part of parts) await buffer.write(part);
        const { text, file } = await buffer.finish();
        const whole = parts.join('');
        const expected = await limitText(whole, { ...options(), limit: 400 });
        const withoutPath = (value: string) => value.replace(/full text in .*? \.\.\.\]/, '');
        if (file === undefined) expect(text).toBe(whole);
        else expect(await readFile(file, 'utf8')).toBe(whole);
        expect(withoutPath(text).slice(0, 80)).toBe(withoutPath(expected.text).slice(0, 80));
        expect(text.slice(-80)).toBe(expected.text.slice(-80));
        await rm(join(directory, 'outputs'), { recursive: true, force: true });
      }),
      { numRuns: 30 },
    );
  });

  it('takes output without end in flat memory and caps the file', async () => {
    proves('C-78');
    const fileLimit = 1024 * 1024;
    const buffer = new OutputBuffer({ ...options(), fileLimit });
    const piece = `${'y'.repeat(63)}\n`.repeat(1024);
    let before = 0;
    for (let round = 0; round < 4_000; round += 1) {
      if (round === 500) before = process.memoryUsage().rss;
      await buffer.write(piece);
    }
    expect(buffer.length).toBe(4_000 * piece.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    const { text, file = '' } = await buffer.finish();
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toContain('the first 1048576 bytes are in');
    expect((await stat(file)).size).toBe(fileLimit);
  });
});

describe('limitToolOutput', () => {
  it('limits all text of an output together and keeps images', async () => {
    proves('C-78');
    const image = { type: 'image', mimeType: 'image/png', data: 'AA==' } as const;
    const block = { type: 'text', text: 'z'.repeat(20_000) } as const;
    const small = { content: [block, image] };
    expect(await limitToolOutput(small, options())).toBe(small);
    const { content } = await limitToolOutput({ content: [block, image, block], isError: true }, options());
    expect(content).toHaveLength(2);
    expect(content[1]).toBe(image);
    expect(content[0]?.type === 'text' && content[0].text.length).toBeLessThanOrEqual(30_000);
  });
});
