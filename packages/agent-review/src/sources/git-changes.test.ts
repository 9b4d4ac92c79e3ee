import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { Review, type ReviewedChanges } from '../model/review.ts';
import { hasCommits, rangeChanges, workingChanges, worktreeChanges } from './git-changes.ts';

let folder = '';
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stdio: 'pipe' });
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const commit = () => {
  git('add', '-A');
  git('commit', '-qm', 'one');
};
const reviewOf = (changes: ReviewedChanges) =>
  new Review(changes, { cwd: folder, notes: () => [], addNote: async () => {} });
const listed = (changes: ReviewedChanges) =>
  reviewOf(changes).files.map(
    ({ name, change, added, removed }) => `${change} ${name} +${added} -${removed}`,
  );

beforeEach(async () => {
  folder = join(await temporaryDirectory(), 'shop');
  mkdirSync(folder);
  git('init', '-q', '-b', 'main');
  write('src/cart.js', 'one\ntwo\n');
  write('gone.js', 'gone\n');
  write('.gitignore', 'ignored\n');
  commit();
});

describe('workingChanges', () => {
  it('lists edited, deleted and untracked files, and neither ignored ones nor links', async () => {
    write('src/cart.js', 'one\n2\n');
    write('new.js', 'new\n');
    write('ignored', 'x');
    symlinkSync('/etc/passwd', join(folder, 'link'));
    rmSync(join(folder, 'gone.js'));
    const changes = await workingChanges(folder);
    expect(listed(changes)).toEqual([
      'delete gone.js +0 -1',
      'create new.js +1 -0',
      'edit src/cart.js +1 -1',
    ]);
    expect(reviewOf(changes).omitted).toEqual(['link']);
    const review = reviewOf(changes);
    for (const file of review.files) for (const hunk of file.hunks) await review.takeBack(file, hunk);
    expect(git('status', '--porcelain', '--untracked-files=all').toString()).toBe('?? link\n');
  });

  it('runs no filter that the configuration of the repository names', async () => {
    const proof = join(folder, '..', 'proof');
    git('config', 'filter.evil.clean', `touch ${proof}; cat`);
    git('config', 'filter.evil.required', 'true');
    write('.gitattributes', '* filter=evil\n');
    write('src/cart.js', 'one\n2\n');
    expect(listed(await workingChanges(folder))).toContain('edit src/cart.js +1 -1');
    expect(existsSync(proof)).toBe(false);
  });

  it('follows no link instead of a folder, neither to read nor to write', async () => {
    const outside = await temporaryDirectory();
    writeFileSync(join(outside, 'cart.js'), 'secret\n');
    rmSync(join(folder, 'src'), { recursive: true });
    symlinkSync(outside, join(folder, 'src'));
    const review = reviewOf(await workingChanges(folder));
    expect([review.files, review.omitted]).toEqual([[], ['src/cart.js', 'src']]);
    rmSync(join(folder, 'src'));
    const before = reviewOf(await workingChanges(folder));
    symlinkSync(outside, join(folder, 'src'));
    const [file] = before.files;
    const [hunk] = file?.hunks ?? [];
    if (!file || !hunk) throw new Error('the file is gone');
    expect(await before.takeBack(file, hunk)).toMatchObject({ isDone: false });
    expect(readFileSync(join(outside, 'cart.js'), 'utf8')).toBe('secret\n');
  });

  it('leaves out files that were only touched', async () => {
    write('src/cart.js', 'one\ntwo\n');
    expect(listed(await workingChanges(folder))).toEqual([]);
  });
});

describe('rangeChanges', () => {
  it('compares two revisions, and takes back only in files that are those of the newer one', async () => {
    git('checkout', '-qb', 'tax');
    write('src/cart.js', 'one\n2\n');
    write('other.js', 'other\n');
    commit();
    write('other.js', 'edited\n');
    const review = reviewOf(await rangeChanges(folder, 'main..HEAD'));
    expect(review.title).toBe('main..HEAD');
    const [other, cart] = review.files;
    const [otherHunk, cartHunk] = [other?.hunks[0], cart?.hunks[0]];
    if (!other || !cart || !otherHunk || !cartHunk) throw new Error('there are two files');
    expect(await review.takeBack(other, otherHunk)).toEqual({
      isDone: false,
      problem: "Can't take back: the file on disk isn't the one of HEAD.",
    });
    expect(await review.takeBack(cart, cartHunk)).toEqual({ isDone: true });
    expect(readFileSync(join(folder, 'src/cart.js'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(folder, 'other.js'), 'utf8')).toBe('edited\n');
  });

  it('takes three dots as the common commit, and one revision as up to the files on disk', async () => {
    git('checkout', '-qb', 'tax');
    write('tax.js', 'tax\n');
    commit();
    git('checkout', '-q', 'main');
    write('main.js', 'main\n');
    commit();
    expect(listed(await rangeChanges(folder, 'main...tax'))).toEqual(['create tax.js +1 -0']);
    expect(listed(await rangeChanges(folder, 'main..tax'))).toHaveLength(2);
    expect(listed(await rangeChanges(folder, 'HEAD~1'))).toEqual(['create main.js +1 -0']);
  });

  it.each(['nothing', '-h', '--output=x..HEAD', 'main..nothing', '\0', 'main..\0'])(
    'refuses %s',
    async (range) => {
      await expect(rangeChanges(folder, range)).rejects.toThrow(/Unknown revision/);
    },
  );

  it('refuses folders without a repository', async () => {
    const elsewhere = await temporaryDirectory();
    expect(await hasCommits(elsewhere)).toBe(false);
    await expect(rangeChanges(elsewhere, 'HEAD')).rejects.toThrow(/not in a git repository/);
  });
});

describe('worktreeChanges', () => {
  it('lists commits and uncommitted files of a worktree, and takes back there', async () => {
    git('worktree', 'add', '-q', '../shop-tax', '-b', 'tax');
    const here = folder;
    folder = join(here, '..', 'shop-tax');
    write('src/cart.js', 'one\n2\n');
    commit();
    write('new.js', 'new\n');
    folder = here;
    const changes = await worktreeChanges(folder, '../shop-tax');
    expect(changes.title).toBe('worktree ../shop-tax');
    expect(listed(changes)).toEqual(['create new.js +1 -0', 'edit src/cart.js +1 -1']);
    const review = reviewOf(changes);
    for (const file of review.files) for (const hunk of file.hunks) await review.takeBack(file, hunk);
    expect(readFileSync(join(here, '../shop-tax/src/cart.js'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(join(here, '../shop-tax/new.js'))).toBe(false);
  });

  it('refuses folders that are no worktree of this repository', async () => {
    await expect(worktreeChanges(folder, '..')).rejects.toThrow(/not a worktree of this repository/);
  });
});
