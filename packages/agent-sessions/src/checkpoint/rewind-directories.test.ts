import { existsSync, lstatSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { put, RewindFixture, read, repository } from './fixtures/rewind-fixture.ts';

describe('a directory that a command renames', () => {
  it.each([
    ['in a repository', true],
    ['elsewhere', false],
  ])('goes back, and leaves nothing behind: %s', async (_, inRepository) => {
    const place = inRepository ? repository({ 'd/x': '1', 'd/deep/y': '2' }) : new RewindFixture();
    if (!inRepository) for (const name of ['d/x', 'd/deep/y']) put(place, name, '1');
    await settled();
    const before = place.state();
    place.prompt('rename it');
    await place.run(inRepository ? 'git mv d e' : 'mv d e');
    const after = place.state();
    const [turn] = await place.checkpoints.turns();
    expect(turn?.files.map(({ path }) => path.slice(place.cwd.length + 1)).sort()).toEqual([
      'd/deep/y',
      'd/x',
      'e/deep/y',
      'e/x',
    ]);
    await place.rewind(1);
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
  });

  it('keeps the second name of a file that was only ignored', async () => {
    const place = repository({ a: 'text', '.gitignore': 'b\n' });
    place.outside('ln a b');
    await settled();
    place.prompt('ignore nothing');
    await place.run(': > .gitignore');
    await place.rewind(1);
    expect(read(place, 'b')).toBe('text');
    expect(read(place, '.gitignore')).toBe('b\n');
  });
});

describe('a link instead of a directory', () => {
  it.each([
    ['to where its files went', 'mv d d2; ln -s d2 d'],
    ['to somewhere else', 'rm -rf d; ln -s /usr/lib/os-release d'],
    ['to nowhere', 'rm -rf d; ln -s nowhere d'],
    ['deep inside', 'mv d/sub s; ln -s ../s d/sub'],
  ])('goes before its files come back: %s', async (_, command) => {
    const place = new RewindFixture();
    for (const name of ['d/x', 'd/y', 'd/sub/z']) put(place, name, name);
    await settled();
    const before = place.state();
    place.prompt('link it');
    await place.run(command);
    const after = place.state();
    const { left } = await place.rewind(1);
    expect([...left]).toEqual([]);
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
  });

  it('comes back instead of a directory, and the other way round', async () => {
    const place = new RewindFixture();
    put(place, 'a.txt', 'a');
    symlinkSync('a.txt', place.path('link'));
    await settled();
    const before = place.state();
    place.prompt('replace it');
    await place.run('rm link; mkdir link; echo x > link/inner');
    const after = place.state();
    await place.rewind(1);
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
  });

  it('that a user put there stays, and nothing is written through it', async () => {
    const place = new RewindFixture();
    put(place, 'd/x', 'one');
    mkdirSync(place.path('other'));
    place.prompt('change it');
    await place.run('echo two > d/x');
    place.outside('rm -r d; ln -s other d');
    const { left } = await place.rewind(1);
    expect([...left.values()].join()).toContain('its directory now leads to');
    expect(existsSync(place.path('other/x'))).toBe(false);
    expect(lstatSync(place.path('d')).isSymbolicLink()).toBe(true);
  });
});

const directory = fc.constantFrom('d', 'e', 'd/sub', 'e/sub', 'f');
const file = fc.tuple(directory, fc.constantFrom('x', 'y')).map(([where, name]) => `${where}/${name}`);
const command = fc.oneof(
  fc.tuple(directory, directory).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(directory, directory).map(([from, to]) => `mv -T ${from} ${to} && ln -s "$PWD/${to}" ${from}`),
  fc.tuple(directory, directory).map(([from, to]) => `rm -rf ${from}; ln -s "$PWD/${to}" ${from}`),
  directory.map((where) => `rm -rf ${where}`),
  directory.map((where) => `[ -L ${where} ] && rm ${where} && mkdir ${where}`),
  fc
    .tuple(file, fc.constantFrom('1', '2'))
    .map(([name, text]) => `mkdir -p "$(dirname ${name})" && echo ${text} > ${name}`),
);

it('whatever commands rename and link, a rewind and its undo are exact', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (commands, inRepository) => {
        const place = new RewindFixture();
        for (const name of ['d/x', 'd/sub/y', 'e/x', 'e/sub/x']) writeInto(place, name);
        if (inRepository) place.git('init', '-q');
        await settled();
        const before = filesOf(place);
        place.prompt('go');
        for (const one of commands) await place.run(`{ ${one}; } || true`);
        const after = filesOf(place);
        const { left } = await place.rewind(1);
        expect([...left]).toEqual([]);
        expect(filesOf(place)).toEqual(before);
        if (await place.checkpoints.planUndo()) await place.undo();
        expect(filesOf(place)).toEqual(after);
        place.remove();
      },
    ),
    { numRuns: 40 },
  );
});

it('a rewind that was killed halfway is finished by the next one, and one undo takes back all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray([0, 1, 2, 3, 4, 5]), fc.boolean(), async (restored, undoFirst) => {
      const place = new RewindFixture();
      const names = Array.from({ length: 6 }, (_, index) => `f${index}`);
      for (const name of names.slice(0, 4)) put(place, name, 'before');
      place.prompt('go');
      await place.run('for f in f0 f1 f2 f3 f4 f5; do echo after > $f; done');
      const before = Object.fromEntries(names.slice(0, 4).map((name) => [name, 'before']));
      const after = place.state();
      // As a process leaves it that is killed: all is announced, some is done, and nothing says that it ended.
      const { CheckpointRecorder } = await import('./checkpoint-recorder.ts');
      const recorder = new CheckpointRecorder({
        directory: `${place.directory}/checkpoints`,
        workspace: place.checkpoints.workspace,
        own: [],
        entry: () => place.tree.leafId,
      });
      const [call] = recorder.log.changes;
      recorder.log.append({
        type: 'rewind',
        id: 'killed00',
        entry: place.tree.leafId,
        time: new Date().toISOString(),
        files: (call?.files ?? []).map(({ path, before: was, after: is }) => ({
          path,
          before: is ?? was,
          after: was,
        })),
      });
      for (const { after: is } of call?.files ?? [])
        if (is?.kind === 'file') recorder.store.keep(is.hash, Buffer.from('after\n'));
      for (const index of restored) {
        const path = place.path(`f${index}`);
        if (index < 4) writeFileSync(path, 'before');
        else unlinkSync(path);
      }
      place.open();
      if (undoFirst) {
        await place.undo();
        expect(place.state()).toEqual(after);
      }
      const { left } = await place.rewind(1);
      expect([...left]).toEqual([]);
      expect(Object.fromEntries(Object.keys(place.state()).map((name) => [name, read(place, name)]))).toEqual(
        before,
      );
      await place.undo();
      expect(place.state()).toEqual(after);
      place.remove();
    }),
    { numRuns: 20 },
  );
});

/** Files are old enough that looking at them once is enough. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 120));

function writeInto(place: RewindFixture, name: string): void {
  put(place, name, name);
}

/** The files; empty directories do not count. */
function filesOf(place: RewindFixture) {
  return Object.fromEntries(Object.entries(place.state()).filter(([, { kind }]) => kind !== 'absent'));
}
