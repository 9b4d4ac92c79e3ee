import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
const ignored = ['.env.local', 'sub/data.sqlite', 'private/notes.md'];

beforeEach(() => {
  place = new RealWorkspace();
  place.git('init', '-q');
  place.write('.gitignore', '.env.local\n*.sqlite\nprivate/\nnode_modules/\n*.log\n');
  place.write('a.txt', 'x\n');
  place.write('sub/b.txt', 'x\n');
  place.git('add', '.');
  place.git('commit', '-qm', 'first');
  plant();
});
afterEach(() => place.remove());

function plant(): void {
  for (const file of [...ignored, 'node_modules/x/index.js', 'build.log', 'untracked.txt', 'sub/new.txt'])
    place.write(file, 'x\n');
}

describe('files that git ignores, which a checkpoint does not see', () => {
  const flag = fc.constantFrom(
    '-f',
    '-d',
    '-x',
    '-X',
    '-n',
    '-fd',
    '-fdx',
    '-xdf',
    '-dfX',
    '--force',
    '--dry-run',
    '-q',
  );
  const clean = fc
    .tuple(fc.array(flag, { minLength: 1, maxLength: 4 }), fc.constantFrom('', ' sub', ' .'))
    .map(([flags, paths]) => `git clean ${flags.join(' ')}${paths}`);
  const remove = fc
    .tuple(
      fc.constantFrom('rm -rf', 'rm -f', 'rm -r', 'unlink', 'cd sub && rm -rf', 'timeout 5 rm -rf'),
      fc.constantFrom(
        '.env.local',
        '*.local',
        '.env*',
        'sub',
        '../private',
        'private',
        'sub/*',
        'data.sqlite',
        './*',
      ),
    )
    .map((parts) => parts.join(' '));

  it('no command deletes one without a danger that says so, and without one no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(clean, remove), async (command) => {
        plant();
        const { verdict, dangers = [] } = await place.judge(command);
        expect(verdict).toBe('ask');
        place.run(command);
        if (!ignored.every((file) => existsSync(join(place.cwd, file))))
          expect([command, dangers]).not.toEqual([command, []]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'rm -rf node_modules',
    'rm build.log',
    'rm a.txt untracked.txt',
    'rm -rf sub/new.txt',
    'rm *.log',
  ])('what programs create again and what a checkpoint holds is no danger: %s', async (command) => {
    expect((await place.judge(command)).dangers).toBeUndefined();
  });

  it.each([
    ['rm .env.local', 'rm .env.local'],
    ['rm a.txt .env.local', 'rm … .env.local'],
    ['rm -rf sub', 'rm -rf sub'],
    ['find private -type f -delete', 'find private -type f -delete'],
  ])('%s is one, and offers no rule', async (command, part) => {
    const { dangers } = await place.judge(command);
    expect(dangers).toMatchObject([
      { part, effect: "deletes files that git ignores; /rewind can't restore them" },
    ]);
  });
});
