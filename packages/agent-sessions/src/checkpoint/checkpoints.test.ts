import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, RewindFixture, read, repository } from './fixtures/rewind-fixture.ts';

describe('files a tool declares', () => {
  it('go back to what they were, with mode and kind, and directories made for them go', async () => {
    const place = new RewindFixture();
    const contents = { crlf: 'a\r\nb\r\n', empty: '', binary: Buffer.from([0, 255, 10, 13, 0]) };
    for (const [name, content] of Object.entries(contents)) put(place, name, content);
    put(place, 'tool.sh', '#!/bin/sh\n');
    chmodSync(place.path('tool.sh'), 0o750);
    const before = place.state();
    place.prompt('change everything');
    for (const name of [...Object.keys(contents), 'tool.sh', 'new/deep/file'])
      await place.write(name, (path) => writeFileSync(path, `changed ${name}`));
    const after = place.state();
    expect(after['new/deep/file']).toMatchObject({ kind: 'file' });
    await place.rewind(1);
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
    await place.rewind(1);
    expect(place.state()).toEqual(before);
    expect(readFileSync(place.path('binary'))).toEqual(contents.binary);
  });

  it('keep one content once, privately', async () => {
    const place = new RewindFixture();
    const text = 'line\n'.repeat(5000);
    for (const name of ['a', 'b']) put(place, name, text);
    place.prompt('change both');
    for (const name of ['a', 'b']) await place.write(name, (path) => writeFileSync(path, name));
    const objects = join(place.directory, 'checkpoints', 'objects');
    const kept = readdirSync(objects, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(kept).toHaveLength(1);
    const [object] = kept;
    const file = statSync(join(object?.parentPath ?? '', object?.name ?? ''));
    expect(file.size).toBeLessThan(text.length / 10);
    expect(file.mode & 0o777).toBe(0o600);
    expect(statSync(join(place.directory, 'checkpoints', 'changes.jsonl')).mode & 0o777).toBe(0o600);
    await place.rewind(1);
    expect(read(place, 'a')).toBe(text);
  });

  it('cost nothing while a call only reads', async () => {
    const place = repository({ a: 'a' });
    place.prompt('look');
    const path = place.path('a');
    await place.call([{ kind: 'read', path, real: path }], () => {});
    await place.run('cat a | head -1');
    expect(existsSync(join(place.directory, 'checkpoints'))).toBe(false);
  });

  it('that are too large are said to be not kept, and left alone', async () => {
    const place = new RewindFixture();
    put(place, 'large', Buffer.alloc(11 * 1024 * 1024));
    place.prompt('shrink it');
    await place.write('large', (path) => writeFileSync(path, 'small'));
    const [turn] = await place.checkpoints.turns();
    expect(turn?.files).toEqual([{ path: place.path('large'), change: 'changed', isKept: false }]);
    const { restored, left } = await place.rewind(1);
    expect(restored).toEqual([]);
    expect(left.get(place.path('large'))).toMatch(/11,534,336 bytes were not saved/);
    expect(read(place, 'large')).toBe('small');
  });

  it('are refused where their directory leads elsewhere by now', async () => {
    const place = new RewindFixture();
    put(place, 'sub/a', 'mine');
    place.prompt('change it');
    await place.write('sub/a', (path) => writeFileSync(path, 'changed'));
    const elsewhere = join(place.root, 'elsewhere');
    renameSync(place.path('sub'), elsewhere);
    symlinkSync(elsewhere, place.path('sub'));
    const { left } = await place.rewind(1, { overwrite: true });
    expect(left.get(place.path('sub/a'))).toContain(elsewhere);
    expect(readFileSync(join(elsewhere, 'a'), 'utf8')).toBe('changed');
  });

  it('never follow a link that was put in their place', async () => {
    const place = new RewindFixture();
    put(place, 'a', 'mine');
    place.prompt('change it');
    await place.write('a', (path) => writeFileSync(path, 'changed'));
    const secret = join(place.root, 'secret');
    writeFileSync(secret, 'secret');
    rmSync(place.path('a'));
    symlinkSync(secret, place.path('a'));
    expect([...(await place.rewind(1)).left.values()]).toEqual([
      expect.stringContaining('someone else since'),
    ]);
    await place.rewind(1, { overwrite: true });
    expect(readFileSync(secret, 'utf8')).toBe('secret');
    expect(lstatSync(place.path('a')).isFile()).toBe(true);
    expect(read(place, 'a')).toBe('mine');
    await place.undo();
    expect(readlinkSync(place.path('a'))).toBe(secret);
  });
});

describe('files a command changes', () => {
  it('are found by comparing: created, changed, deleted, renamed, linked, made executable', async () => {
    const place = repository({ changed: 'old', deleted: 'd', moved: 'm', script: 's', 'dir/inner': 'i' });
    put(place, 'untracked', 'u');
    const before = place.state();
    place.prompt('do it');
    await place.run(
      'echo new > changed; rm deleted; mv moved renamed; chmod +x script; ln -s changed link; echo u2 > untracked; mkdir -p x/y; echo c > x/y/created; rm -r dir; echo file > dir',
    );
    const after = place.state();
    const [turn] = await place.checkpoints.turns();
    const changes = Object.fromEntries(
      turn?.files.map((file) => [file.path.slice(place.cwd.length + 1), file.change]) ?? [],
    );
    expect(changes).toEqual({
      changed: 'changed',
      deleted: 'deleted',
      moved: 'deleted',
      renamed: 'created',
      script: 'changed',
      link: 'created',
      untracked: 'changed',
      'x/y/created': 'created',
      'dir/inner': 'deleted',
      dir: 'created',
    });
    expect((await place.rewind(1)).left.size).toBe(0);
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
  });

  it('are left out where they are ignored, unless they are tracked', async () => {
    const place = repository({ 'build/kept.txt': 'tracked' });
    put(place, '.gitignore', 'build/\n*.log\n');
    put(place, 'build/out.txt', 'ignored');
    place.prompt('build');
    await place.run('echo 2 > build/out.txt; echo 2 > build/kept.txt; echo x > a.log; echo y > b.txt');
    await place.rewind(1);
    expect(read(place, 'build/out.txt')).toBe('2\n');
    expect(existsSync(place.path('a.log'))).toBe(true);
    expect(read(place, 'build/kept.txt')).toBe('tracked');
    expect(existsSync(place.path('b.txt'))).toBe(false);
  });

  it('do not include what only stopped being ignored', async () => {
    const place = repository({ '.gitignore': 'cache/\n' });
    put(place, 'cache/old', 'precious');
    await new Promise((resolve) => setTimeout(resolve, 120));
    place.prompt('stop ignoring');
    await place.run('rm .gitignore');
    await place.rewind(1);
    expect(read(place, 'cache/old')).toBe('precious');
    expect(read(place, '.gitignore')).toBe('cache/\n');
  });

  it('leave alone what existed and was only ignored, even where it was changed', async () => {
    const place = repository({ '.gitignore': 'cache/\n' });
    put(place, 'cache/old', 'precious');
    await new Promise((resolve) => setTimeout(resolve, 120));
    place.prompt('stop ignoring');
    await place.run('rm .gitignore; echo more >> cache/old');
    const { left } = await place.rewind(1);
    expect([...left.keys()]).toEqual([place.path('cache/old')]);
    expect(read(place, 'cache/old')).toBe('preciousmore\n');
  });

  it('do not include our own files, wherever the workspace is', async () => {
    const place = new RewindFixture();
    place.open(place.path('.robota/sessions/p/s'));
    place.prompt('change');
    put(place, '.robota/sessions/other/session.jsonl', '1');
    await place.run('echo 2 > .robota/sessions/other/session.jsonl; echo 2 > a');
    const [turn] = await place.checkpoints.turns();
    expect(turn?.files.map(({ path }) => path)).toEqual([place.path('a')]);
  });

  it('come back byte by byte where git would convert them', async () => {
    const place = repository({ '.gitattributes': '*.txt text eol=lf\n' });
    place.git('config', 'core.autocrlf', 'true');
    put(place, 'crlf.txt', 'a\r\nb\r\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'crlf');
    put(place, 'crlf.txt', 'a\r\nb\r\n');
    place.prompt('break it');
    await place.run('echo broken > crlf.txt');
    await place.rewind(1);
    expect(read(place, 'crlf.txt')).toBe('a\r\nb\r\n');
  });

  it('come back even where the command removed the repository', async () => {
    const place = repository({ a: 'a', b: 'b' });
    put(place, 'c', 'c');
    const before = place.state();
    place.prompt('destroy');
    await place.run('rm -rf .git a b c');
    await place.rewind(1);
    expect(place.state()).toEqual(before);
  });

  it('come from git where they are too large to be copied, as long as it is there', async () => {
    const large = 'x'.repeat(2 * 1024 * 1024);
    const place = repository({ first: large, second: `${large}2` });
    place.prompt('empty the first');
    await place.run('echo > first');
    place.prompt('destroy');
    await place.run('rm -rf .git second');
    expect((await place.checkpoints.turns()).map(({ files }) => files.map(({ isKept }) => isKept))).toEqual([
      [true],
      [false],
    ]);
    await place.rewind(1);
    expect(read(place, 'first')).toBe(large);
    expect(existsSync(place.path('second'))).toBe(false);
  });

  it('are found without a repository, too', async () => {
    const place = new RewindFixture();
    put(place, 'a', 'one');
    put(place, 'sub/b', 'two');
    const before = place.state();
    place.prompt('change');
    await place.run('echo 1 > a; rm sub/b; echo n > sub/n');
    await place.run('echo 2 > a');
    await place.rewind(1);
    expect(place.state()).toEqual(before);
  });

  it('run nothing that a repository names', async () => {
    const place = repository({ a: 'a' });
    const witness = join(place.root, 'witness');
    put(place, 'run.sh', `#!/bin/sh\ntouch ${witness}\ncat\n`);
    chmodSync(place.path('run.sh'), 0o755);
    put(place, '.gitattributes', '* filter=evil\n');
    for (const key of [
      'core.fsmonitor',
      'filter.evil.clean',
      'filter.evil.smudge',
      'core.pager',
      'core.hooksPath',
    ])
      place.git('config', key, key === 'core.hooksPath' ? place.cwd : place.path('run.sh'));
    place.prompt('change');
    await place.run('echo b > a; rm run.sh');
    await place.rewind(1);
    expect(read(place, 'a')).toBe('a');
    expect(existsSync(witness)).toBe(false);
  });

  it('are told apart as far as can be where several calls overlap', async () => {
    const place = repository({ a: 'a', b: 'b', c: 'c', d: 'd' });
    const before = place.state();
    place.prompt('work side by side');
    const endFirst = await place.begin('first');
    put(place, 'a', 'first');
    const endSecond = await place.begin('second');
    put(place, 'b', 'second');
    await place.write('c', (path) => writeFileSync(path, 'written'));
    await endFirst?.();
    put(place, 'b', 'second again');
    put(place, 'd', 'second');
    await endSecond?.();
    const after = place.state();
    expect((await place.rewind(1)).left).toEqual(new Map());
    expect(place.state()).toEqual(before);
    await place.undo();
    expect(place.state()).toEqual(after);
  });

  it('are not watched where there are too many, which is said', async () => {
    const place = new RewindFixture();
    place.outside('mkdir many; cd many; seq 1 20001 | xargs touch');
    place.prompt('change');
    await place.run('echo x > new');
    const [turn] = await place.checkpoints.turns();
    expect(turn?.unknown).toEqual([expect.stringContaining('more than 20,000 files')]);
    expect((await place.rewind(1)).restored).toEqual([]);
  });
});

describe('what lies in the workspace but not in its repository', () => {
  it('is listed too: nested repositories, worktrees and submodules', async () => {
    const place = repository({ a: 'a' });
    const commit = 'git -c user.name=t -c user.email=t@example.org commit -qm x';
    place.outside(
      `git init -q nested && cd nested && echo n > tracked && git add . && ${commit} && echo o > other`,
    );
    place.outside('git worktree add -q tree');
    place.outside(
      'git -c protocol.file.allow=always submodule add -q ./nested sub 2>/dev/null || git clone -q nested sub',
    );
    const before = place.state();
    place.prompt('change everything');
    await place.run(
      'echo 2 >> nested/tracked; rm nested/other; echo 2 >> tree/a; echo 2 >> sub/tracked; echo 2 > nested/new',
    );
    const [turn] = await place.checkpoints.turns();
    expect(turn?.files.map(({ path }) => path.slice(place.cwd.length + 1)).sort()).toEqual([
      'nested/new',
      'nested/other',
      'nested/tracked',
      'sub/tracked',
      'tree/a',
    ]);
    await place.rewind(1);
    expect(place.state()).toEqual(before);
  });

  it('is said to be not known where a name is no UTF-8, and only where such a file changed', async () => {
    for (const place of [repository({ a: 'a' }), new RewindFixture()]) {
      place.outside("echo 1 > $'odd-\\xff'");
      place.prompt('leave it');
      await place.run('echo 2 > b');
      place.prompt('change it');
      await place.run("echo 22 > $'odd-\\xff'");
      const [first, second] = await place.checkpoints.turns();
      expect([first?.unknown, first?.files.length]).toEqual([[], 1]);
      expect(second?.unknown).toEqual([expect.stringContaining('not valid UTF-8')]);
    }
  });
});

describe('a disk that fails', () => {
  it('leaves a turn that says so, also for the next process, and does not end the work', async () => {
    const place = repository({ a: 'old' });
    const blocked = join(place.directory, 'checkpoints');
    writeFileSync(blocked, 'no directory');
    place.prompt('write and run');
    await place.write('a', (path) => writeFileSync(path, 'new'));
    await place.run('echo new > b');
    expect(read(place, 'a')).toBe('new');
    expect(place.problems).toEqual([expect.stringMatching(/cannot be saved for \/rewind.*move it away\.$/)]);
    rmSync(blocked);
    place.prompt('go on');
    await place.write('a', (path) => writeFileSync(path, 'newer'));
    const [failed, good] = await place.checkpoints.turns();
    expect(failed?.unknown).toEqual([expect.stringContaining('could not be saved')]);
    expect(await place.checkpoints.unknownChanges()).toEqual(failed?.unknown);
    expect(good?.unknown).toEqual([]);
    place.open();
    expect((await place.checkpoints.turns())[0]?.unknown).toHaveLength(1);
    await place.rewind(2);
    expect(read(place, 'a')).toBe('new');
  });

  it('rewinds nothing where what is there cannot be kept, and says what to do', async () => {
    const place = new RewindFixture();
    put(place, 'a', 'old');
    put(place, 'b', 'old');
    place.prompt('change both');
    for (const name of ['a', 'b']) await place.write(name, (path) => writeFileSync(path, `new ${name}`));
    const [turn] = await place.checkpoints.turns();
    const objects = join(place.directory, 'checkpoints', 'objects');
    for (const name of readdirSync(objects)) renameSync(join(objects, name), join(place.root, name));
    const hashes = ['a', 'b'].map((name) => createHash('sha256').update(`new ${name}`).digest('hex'));
    for (const hash of hashes) writeFileSync(join(objects, hash.slice(0, 2)), 'no directory');
    if (turn === undefined) throw new Error('no turn');
    const plan = await place.checkpoints.planTurn(turn, { files: true, conversation: false });
    await expect(
      place.checkpoints.rewind(plan, { overwrite: false, moveTo: async () => {} }),
    ).rejects.toThrow(/^Nothing was rewound: .* \/rewind undo .*move it away\.$/);
    expect([read(place, 'a'), read(place, 'b')]).toEqual(['new a', 'new b']);
  });
});

describe('undoing a rewind', () => {
  it('tells what Robota did afterwards from what someone else did', async () => {
    const place = new RewindFixture();
    put(place, 'a', '0');
    put(place, 'b', '0');
    place.prompt('append 1');
    for (const name of ['a', 'b']) await place.write(name, (path) => writeFileSync(path, '01'));
    await place.rewind(1);
    place.prompt('append 2');
    await place.write('a', (path) => writeFileSync(path, '02'));
    put(place, 'b', 'mine');
    const { left } = await place.undo();
    expect([...left]).toEqual([
      [place.path('a'), 'Robota changed it again since'],
      [place.path('b'), 'it was changed by someone else since'],
    ]);
    expect([read(place, 'a'), read(place, 'b')]).toEqual(['02', 'mine']);
  });
});
