import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

const secret = 'S3CRET';
const rules = { deny: ['Read(.env)', 'Read(/private/**)', 'Read(~/.ssh/**)'] };
let place: RealWorkspace;

/** Hidden files in the work tree, the index, a stash and the history, and open files that change beside them. */
beforeAll(() => {
  place = new RealWorkspace();
  place.git('init', '-q', '-b', 'main');
  place.write('src/a.txt', 'one\n');
  place.write('src/.env', `A=${secret}\n`);
  place.write('private/deep/key.txt', `${secret}\n`);
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
  place.git('tag', 'first');
  place.write('src/a.txt', 'two\n');
  place.write('src/.env', `B=${secret}\n`);
  place.write('.env', `C=${secret}\n`);
  place.git('add', '-A');
  place.git('commit', '-qm', 'two');
  place.git('mv', 'private/deep/key.txt', 'moved.txt');
  place.write('moved.txt', `${secret}\nmore\n`);
  place.git('commit', '-qam', 'three');
  place.write('moved.txt', 'nothing\n');
  place.write('src/.env', `D=${secret}\n`);
  place.write('src/a.txt', 'stashed\n');
  place.git('stash', '-q');
  place.write('moved.txt', 'nothing\n');
  place.write('src/a.txt', 'three\n');
  place.write('.env', `E=${secret}\n`);
  place.git('add', '.env');
  place.write('src/.env', `F=${secret}\n`);
});

afterAll(() => place.remove());

describe('git commands that print files', () => {
  it.each([
    'git diff',
    'git diff HEAD',
    'git diff --cached',
    'git diff --stat -p',
    'git diff src',
    'git diff first HEAD -- src',
    "git diff ':(icase)SRC'",
    "git diff -- ':!src/.env'",
    'git diff HEAD:./ first:./',
    'git show',
    'git show first',
    'git show -s HEAD~1:src',
    'git log -p',
    'git log -u -1',
    'git log -U0',
    'git log -c -p --all',
    'git log -S S3CRET',
    'git log -p --follow moved.txt',
    'git stash show -p',
    'git stash list -p',
    'git reflog -p',
    'git status -v',
    'git status -bv',
    'git grep S3',
    'git grep -c S3 first',
    'git diff-tree -p first HEAD',
    'git diff -w src',
    'git log -p $NAME',
    "git for-each-ref '--format=%(raw)'",
  ])('ask where a hidden file may be among them: %s', async (command) => {
    expect((await place.judge(command, rules)).verdict).toBe('ask');
  });

  it.each([
    ['git log', 'two'],
    ['git log --stat -3', 'src/.env'],
    ['git log --oneline --graph --all', 'three'],
    ['git diff --stat', 'src/a.txt'],
    ['git diff --name-only HEAD', '.env'],
    ['git show --name-status HEAD', 'moved.txt'],
    ['git stash list', 'stash@{0}'],
    ['git status -sb', 'src/a.txt'],
    ['git diff src/a.txt', 'three'],
    ['git diff HEAD -- src/a.txt', 'three'],
    ['git diff -w src/a.txt', 'three'],
    ['git show HEAD~1:src/a.txt', 'two'],
    ['git cat-file -p HEAD~1:src/a.txt', 'two'],
    ['git blame src/a.txt', 'one|two|three'],
    ['git log -p -- src/a.txt', 'two'],
    ["git diff HEAD -- . ':!src/.env' ':(exclude).env' ':^private'", 'three'],
    ["git log -p -2 -- src ':(exclude,top)src/.env'", 'two'],
    ["git show HEAD -- . ':!*.env' ':!private'", 'more'],
    ["git grep -n t -- 'src/*.txt'", 'three'],
  ])('run where they print none of them: %s', async (command, expected) => {
    expect(await place.judge(command, rules)).toMatchObject({ verdict: 'allow', reason: expect.any(String) });
    const { output } = place.run(command);
    expect(output).toMatch(new RegExp(expected));
  });

  it.each(['git show HEAD:.env', 'git blame src/.env', 'git diff -- .env', 'git log -p -- private'])(
    'are refused where they name one: %s',
    async (command) => {
      expect((await place.judge(command, rules)).verdict).toBe('deny');
    },
  );

  it('say which file it is, and how to leave it out', async () => {
    const { reason } = await place.judge('git show HEAD~1', rules);
    expect(reason).toMatch(/may print \S*\.env, which Read\(\.env\) is about\. Leave it out with/);
  });

  it('are not asked about where no hidden file was ever tracked, and are once one is', async () => {
    const other = new RealWorkspace();
    try {
      other.git('init', '-q');
      other.write('a.txt', 'one\n');
      expect((await other.judge('git diff', rules)).verdict).toBe('allow');
      other.git('add', '-A');
      other.git('commit', '-qm', 'one');
      other.write('.env', secret);
      for (const command of ['git diff', 'git show', 'git log -p', 'git stash show'])
        expect((await other.judge(command, rules)).verdict).toBe('allow');
      other.git('add', '-f', '.env');
      expect((await other.judge('git diff --cached', rules)).verdict).toBe('ask');
      other.git('commit', '-qm', 'two');
      other.git('rm', '-q', '.env');
      other.git('commit', '-qm', 'three');
      expect((await other.judge('git log -p', rules)).verdict).toBe('ask');
      rmSync(`${other.cwd}/.git`, { recursive: true });
      expect((await other.judge('git diff', rules)).verdict).toBe('ask');
    } finally {
      other.remove();
    }
  });

  it('never print a hidden file without a question, whatever their arguments', async () => {
    const heads = [
      'diff',
      'show',
      'log',
      'log -p',
      'cat-file -p',
      'blame',
      'stash show',
      'grep .',
      'status',
      'diff-tree',
    ];
    const options = [
      '-p',
      '--stat',
      '--name-only',
      '-s',
      '-1',
      '-w',
      '-W',
      '--cached',
      '--raw',
      '-S',
      '-n',
      '-G.',
      '-v',
      '--all',
    ];
    const operands = [
      'HEAD',
      'first',
      'HEAD~1',
      '.',
      'src',
      'src/a.txt',
      'moved.txt',
      '--',
      "':!.env'",
      "':!*.env'",
      'HEAD~1:src/a.txt',
      "':/'",
      "'*.txt'",
      "':^src'",
      'first..HEAD',
      'stash@{0}',
      '$(git rev-parse HEAD:.env)',
    ];
    const line = fc
      .tuple(
        fc.constantFrom(...heads),
        fc.array(fc.constantFrom(...options), { maxLength: 2 }),
        fc.array(fc.constantFrom(...operands), { maxLength: 4 }),
      )
      .map(([head, ...rest]) => `git ${[head, ...rest.flat()].join(' ')}`);
    await fc.assert(
      fc.asyncProperty(line, async (command) => {
        const { verdict } = await place.judge(command, rules);
        // Contents of moved.txt are not hidden.
        if (verdict === 'allow') expect(place.run(command).output).not.toMatch(new RegExp(`[A-F]=${secret}`));
      }),
      { numRuns: 50 },
    );
  });
});
