import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from '../../../agent-core/src/permission/fixtures/real-workspace.ts';

const secret = 'the-secret-of-the-house';
let place: RealWorkspace;

/** A clone can carry links; what they lead to lies outside. */
beforeAll(() => {
  place = new RealWorkspace();
  const outside = join(place.root, 'secret');
  mkdirSync(join(outside, 'deep'), { recursive: true });
  for (const file of ['id_rsa', 'deep/k', 'k.txt']) writeFileSync(join(outside, file), `${secret}\n`);
  place.write('src/a.txt', 'a\n');
  place.write('src/b.txt', 'b\n');
  place.write('.env', `${secret}\n`);
  place.write('list', '../secret/id_rsa\n');
  place.write('@list', '../secret/id_rsa\n');
  place.write('sums', `${'0'.repeat(32)}  ../secret/id_rsa\n`);
  mkdirSync(join(place.cwd, 'links'));
  mkdirSync(join(place.cwd, 'empty'));
  mkdirSync(join(place.cwd, 'tree/inner'), { recursive: true });
  symlinkSync('../../secret/k.txt', join(place.cwd, 'links/k.txt'));
  symlinkSync('../../secret', join(place.cwd, 'links/dir'));
  symlinkSync('../../../secret/id_rsa', join(place.cwd, 'tree/inner/id_rsa'));
  // The target of `..` after it depends on the resolver: the workspace, or outside.
  mkdirSync(join(place.cwd, 'a/b'), { recursive: true });
  symlinkSync('a/b', join(place.cwd, 'sub'));
});

afterAll(() => place.remove());

const reading = [
  'cat links/*',
  'cat li[n]ks/k.txt',
  'cat link?/*.txt',
  'cat */k.txt',
  'cat links/dir/*',
  'cat links/*/id_rsa',
  'cat links/*/../k.txt',
  'head -5 links/*',
  'tail links/k*',
  'grep -r house links/*',
  'grep house links/*',
  'sort links/*.txt',
  'rg house links/*',
  'base64 links/k*',
  'jq -R . links/k.*',
  'wc links/*',
  'column links/*',
  'diff -rN links empty',
  'diff -r tree empty',
  'diff links/ empty',
  'diff -N empty tree/inner',
  'diff -N tree/inner/* src/a.txt',
  'cd sub/../../secret && cat id_rsa',
  'cd sub && cd ../../secret && cat id_rsa',
  'cd sub; cd ..; cd ../secret; cat id_rsa',
  'cd links && cat *',
  'cd links && cat dir/id_rsa',
  'cd links/dir && cat id_rsa',
  'cat sub/../../../secret/id_rsa',
  'strings @list',
  'strings *ist',
  'strings ?list',
  'md5sum -c sums',
  'ls -RL links',
  'cat < links/k.txt',
  'find links/ -name x -newer links/dir/id_rsa',
];

describe('files that links lead to', () => {
  it.each(reading)('asks before %s', async (command) => {
    proves('E-39');
    const { verdict, reason } = await place.judge(command);
    expect(verdict, reason).not.toBe('allow');
  });

  it.each(reading.filter((command) => !/strings|md5sum|ls|find/.test(command)))(
    'a deny rule holds for %s',
    async (command) => {
      proves('E-39');
      const { verdict, reason } = await place.judge(
        command,
        { allow: ['Bash(cat *)', 'Bash(head *)', 'Bash(cd *)'], deny: [`Read(/${place.root}/secret/**)`] },
        { mode: 'default' },
      );
      expect(verdict, reason).not.toBe('allow');
    },
  );

  it('a read-only command reads what a rule denies under no spelling of a glob', async () => {
    proves('E-39');
    for (const name of ['column', 'cat', 'nl', 'fold', 'expand', 'cut -c1-9', 'paste', 'rev'])
      for (const glob of ['.en?', '.e[n]v', '.e*', './.env*']) {
        const { verdict } = await place.judge(`${name} ${glob}`, { deny: ['Read(.env)'] });
        expect(verdict, `${name} ${glob}`).not.toBe('allow');
      }
  });

  it('needs no question for ordinary globs', async () => {
    proves('E-39');
    for (const command of [
      'cat src/*.txt',
      'cat src/*',
      'ls *',
      'grep -rn a src',
      'diff src/a.txt src/b.txt',
      'diff -r src empty',
      'diff -r --no-dereference links empty',
      'cd src && cat *.txt',
      'cd src && cd .. && cat src/a.txt',
      'cd sub && ls',
      'strings src/a.txt',
      'wc -l src/*.txt',
    ]) {
      const { verdict, reason } = await place.judge(command);
      expect(verdict, `${command}\n${reason}`).toBe('allow');
    }
  });

  it('no command that is allowed prints what lies outside', async () => {
    proves('E-39');
    const program = fc.constantFrom(
      'cat',
      'head',
      'grep house',
      'sort',
      'diff -rN empty',
      'diff -N src',
      'tail -n 2',
      'nl',
    );
    const name = fc.constantFrom(
      'links',
      'l*',
      'tree',
      't?ee',
      'sub',
      's*',
      'a',
      '*',
      '.',
      '..',
      'inner',
      'dir',
      'secret',
      'k.txt',
      '[k]*',
    );
    const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const move = fc.oneof(
      fc.constant(''),
      file.filter((one) => !/[*?[]/.test(one)).map((one) => `cd ${one} && `),
      fc.tuple(file, file).map(([one, two]) => `cd ${one}; cd ${two}; `),
    );
    await fc.assert(
      fc.asyncProperty(move, program, file, async (before, reader, operand) => {
        const command = `${before}${reader} ${operand}`;
        const { verdict } = await place.judge(command);
        if (verdict === 'allow') expect(place.run(command).output, command).not.toContain(secret);
      }),
      { numRuns: 400 },
    );
  });
});
