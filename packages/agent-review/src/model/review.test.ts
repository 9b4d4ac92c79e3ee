import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regularFileAt } from './replace-file.ts';
import { Review } from './review.ts';

const bom = '\uFEFF';
const line = fc.constantFrom('a', 'b', 'c', '', '  x', '}', 'ä', '한', `${bom}a`, 'x\r', '\0');
const text = fc
  .record({
    lines: fc.array(line, { maxLength: 40 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isEnded: fc.boolean(),
  })
  .map(({ lines, end, isEnded }) => Buffer.from(lines.join(end) + (isEnded ? end : '')));
const content = fc.oneof(
  { arbitrary: text, weight: 6 },
  { arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)), weight: 1 },
  { arbitrary: fc.constant(undefined), weight: 1 },
);

async function reviewOf(before: Buffer | undefined, after: Buffer | undefined) {
  const folder = await temporaryDirectory();
  const path = join(folder, 'file');
  if (after) writeFileSync(path, after);
  return reviewIn(folder, before);
}

function reviewIn(folder: string, before: Buffer | undefined) {
  const path = join(folder, 'file');
  const notes: JsonObject[] = [];
  const services = {
    cwd: folder,
    notes: () => notes,
    addNote: async (note: JsonObject) => void notes.push(note),
  };
  const found = regularFileAt(path);
  const files = [{ path, before, after: found?.bytes, found, mode: 0o644 }];
  const review = new Review({ title: 'this session', folder, files, omitted: [] }, services);
  return { review, path, notes, services, bytes: () => regularFileAt(path)?.bytes };
}

const orderOf = (hunks: number, seed: number) =>
  [...Array(hunks).keys()].sort((a, b) => ((a * 7919 + seed) % 13) - ((b * 7919 + seed) % 13));

describe('taking back', () => {
  it('restores the old file byte for byte when every hunk is taken back, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, fc.nat(), async (before, after, seed) => {
        const { review, bytes } = await reviewOf(before, after);
        for (const file of review.files)
          for (const index of orderOf(file.hunks.length, seed)) {
            const hunk = file.hunks[index];
            if (hunk) expect(await review.takeBack(file, hunk)).toEqual({ isDone: true });
          }
        expect(bytes()).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  it('restores the new file when every hunk that was taken back is kept after all', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        const { review, bytes } = await reviewOf(before, after);
        for (const file of review.files) for (const hunk of file.hunks) await review.takeBack(file, hunk);
        for (const file of review.files) for (const hunk of file.hunks) await review.keep(file, hunk);
        expect(bytes()).toEqual(after);
      }),
      { numRuns: 60 },
    );
  });

  it('takes back the lines of one hunk and leaves the others', async () => {
    const numbers = [...Array(40).keys()].map((number) => `line ${number}`);
    const changed = numbers.map((text, index) => (index === 3 || index === 30 ? `${text}!` : text));
    const toText = (lines: readonly string[]) => Buffer.from(`${bom}${lines.join('\r\n')}\r\n`);
    const { review, path } = await reviewOf(toText(numbers), toText(changed));
    chmodSync(path, 0o755);
    const [file] = review.files;
    const [first, second] = file?.hunks ?? [];
    if (!file || !first || !second) throw new Error('there are two hunks');
    await review.takeBack(file, first);
    const expected = changed.map((text, index) => (index === 3 ? 'line 3' : text));
    expect(readFileSync(path)).toEqual(toText(expected));
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(file.hunks.map((hunk) => review.stateOf(file, hunk))).toEqual(['taken back', 'open']);
  });

  it.each<[string, (path: string, folder: string) => void]>([
    ['another content', (path) => writeFileSync(path, 'someone else\n')],
    [
      'the same content in another file',
      (path) => {
        writeFileSync(`${path}.new`, readFileSync(path));
        renameSync(`${path}.new`, path);
      },
    ],
    ['no file', (path) => rmSync(path)],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('is refused where there is %s by now', async (_what, change) => {
    const { review, path } = await reviewOf(Buffer.from('old\n'), Buffer.from('new\n'));
    change(path, join(path, '..'));
    const before = regularFileAt(path)?.bytes;
    const [file] = review.files;
    const [hunk] = file?.hunks ?? [];
    if (!file || !hunk) throw new Error('there is a hunk');
    expect(await review.takeBack(file, hunk)).toEqual({
      isDone: false,
      problem: "Can't take back: file changed since. Review it again.",
    });
    expect(regularFileAt(path)?.bytes).toEqual(before);
    expect(review.stateOf(file, hunk)).toBe('open');
  });
});

describe('keeping', () => {
  it('changes nothing on disk', async () => {
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        const { review, path, bytes } = await reviewOf(before, after);
        const inode = after && statSync(path).ino;
        for (const file of review.files) for (const hunk of file.hunks) await review.keep(file, hunk);
        expect(bytes()).toEqual(after);
        if (after) expect(statSync(path).ino).toBe(inode);
      }),
      { numRuns: 60 },
    );
  });

  it('is remembered by a later review of the same change, also when it has moved', async () => {
    const { review, path, services } = await reviewOf(Buffer.from('a\nb\nc\n'), Buffer.from('a\nB\nc\n'));
    const [file] = review.files;
    const [hunk] = file?.hunks ?? [];
    if (file && hunk) await review.keep(file, hunk);
    const far = Array(20).fill('same').join('\n');
    writeFileSync(path, `${far}\na\nB\nc\n`);
    const found = regularFileAt(path);
    const before = Buffer.from(`${far}\na\nb\nc\n`);
    const files = [{ path, before, after: found?.bytes, found }];
    const folder = join(path, '..');
    const again = new Review({ title: '', folder, files, omitted: [] }, services);
    const [moved] = again.files;
    expect(moved?.hunks.map((each) => again.stateOf(moved, each))).toEqual(['kept']);
  });
});

describe('drafts', () => {
  it('are sent as one prompt with path, line, excerpt and comment, where the lines are by then', async () => {
    const { review, path } = await reviewOf(Buffer.from('a\nb\nc\n'), Buffer.from('a\nB\nc\nd\n'));
    const [file] = review.files;
    if (!file) throw new Error('there is a file');
    await review.comment(file, { side: 'new', line: 2, endLine: 3 }, 'Why a capital?');
    await review.comment(file, { side: 'old', line: 2, endLine: 2 }, 'Keep this.');
    const gone = await review.comment(file, { side: 'new', line: 4, endLine: 4 }, 'Remove this.');
    writeFileSync(path, 'first\nsecond\na\nB\nc\n');
    const message = review.message();
    expect(message?.places).toEqual(['file:4-5', 'file:2', 'file:4']);
    expect(message?.text).toBe(
      [
        'Comments on the changes:',
        'file:4-5\n> B\n> c\nWhy a capital?',
        'file:2 (removed line, numbered as before the change)\n> b\nKeep this.',
        'file:4 (as it was; the file has changed since)\n> d\nRemove this.',
      ].join('\n\n'),
    );
    await review.editDraft(gone.id, '');
    expect(review.drafts.map(({ comment, at }) => [comment, at])).toEqual([
      ['Why a capital?', 2],
      ['Keep this.', 2],
    ]);
    if (message) await review.sent(message);
    expect(review.message()).toBeUndefined();
  });

  it('quote no line of a file that is hidden from the model', async () => {
    const { review, services, path } = await reviewOf(Buffer.from('a\n'), Buffer.from('secret\n'));
    const hiding = { ...services, isHidden: (asked: string) => asked === path };
    const again = new Review({ title: '', folder: join(path, '..'), files: [], omitted: [] }, hiding);
    const [file] = review.files;
    if (file) await review.comment(file, { side: 'new', line: 1, endLine: 1 }, 'Rotate it.');
    expect(review.message()?.text).toContain('> secret');
    expect(again.message()?.text).toBe('A comment on the changes:\n\nfile:1\nRotate it.');
  });

  it('are read from notes that may be damaged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (damaged) => {
        const { review, notes } = await reviewOf(undefined, Buffer.from('a\n'));
        notes.push(...(damaged as JsonObject[]), { draft: damaged as never }, { removed: damaged as never });
        expect(review.drafts).toEqual([]);
        expect(review.message()).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });
});
