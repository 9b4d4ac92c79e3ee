import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileTypes } from './file-types.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { type ListOptions, listFiles } from './list-files.ts';

// The one installed with the project, because versions differ in details; another where there is none.
const ripgrep = await import('@vscode/ripgrep').then(
  (found) => found.rgPath,
  () => findRipgrep(),
);

type Files = Readonly<Record<string, string>>;

function makeTree(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-search-')));
  for (const [path, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    } catch {
      // A random path may need a directory where a file is.
    }
  }
  return root;
}

function tree(files: Files): string {
  const root = makeTree(files);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

async function list(root: string, options: Partial<ListOptions> = {}) {
  const paths: string[] = [];
  const end = await listFiles({
    root,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ripgrep: undefined,
    onFile: (path) => paths.push(path),
    onRestart: () => {
      paths.length = 0;
    },
    ...options,
  });
  return { ...end, paths: paths.sort() };
}

const engines = [
  { engine: 'own', program: undefined },
  { engine: 'ripgrep', program: ripgrep },
].filter(({ engine, program }) => engine === 'own' || program !== undefined);

it('an ignore file that is a pipe is not waited for', async () => {
  const root = tree({ 'a.txt': '' });
  execFileSync('sh', ['-c', 'mkfifo "$0/.gitignore" "$0/.git"', root]);
  expect((await list(root)).paths).toContain('a.txt');
});

describe.each(engines)('with the $engine engine', ({ program }) => {
  const paths = async (root: string, options: Partial<ListOptions> = {}) =>
    (await list(root, { ripgrep: program, ...options })).paths;

  it('respects ignore files at all levels, with negation, and lists hidden files', async () => {
    proves('R-30');
    const root = tree({
      '.gitignore': '*.log\n/build/\n!keep.log\n',
      'a.log': '',
      'keep.log': '',
      'build/out.js': '',
      'src/build/in.js': '',
      'src/.gitignore': '!a.log\ntmp\n',
      'src/a.log': '',
      'src/tmp/x': '',
      'src/.ignore': 'secret.txt',
      'src/secret.txt': '',
      '.env': '',
      '.git/config': '',
      '.git/info/exclude': 'excluded.txt',
      'excluded.txt': '',
    });
    expect(await paths(root)).toEqual([
      '.env',
      '.gitignore',
      'keep.log',
      'src/.gitignore',
      'src/.ignore',
      'src/a.log',
      'src/build/in.js',
    ]);
    expect(await paths(join(root, 'src'))).toEqual(['.gitignore', '.ignore', 'a.log', 'build/in.js']);
    expect(await paths(join(root, 'build'))).toEqual(['out.js']);
  });

  it('does not follow links, and stops looking for ignore files at the repository', async () => {
    const root = tree({ '.gitignore': 'x.txt', 'repo/.git/HEAD': '', 'repo/x.txt': '', 'out/secret': '' });
    symlinkSync(join(root, 'out'), join(root, 'repo/link'));
    symlinkSync(join(root, 'out/secret'), join(root, 'repo/file-link'));
    expect(await paths(join(root, 'repo'))).toEqual(['x.txt']);
  });

  it('filters by name and by type without bringing back ignored files', async () => {
    const root = tree({ '.gitignore': 'gen.ts', 'gen.ts': '', 'a/b.ts': '', 'a/c.tsx': '', 'd.md': '' });
    expect(await paths(root, { names: ['*.ts'] })).toEqual(['a/b.ts']);
    expect(await paths(root, { type: 'ts' })).toEqual(['a/b.ts', 'a/c.tsx']);
    expect(await paths(root, { names: ['b.*', 'd.*'] })).toEqual(['a/b.ts', 'd.md']);
  });

  it('counts directories that cannot be read and lists the rest', async () => {
    const root = tree({ 'open/a': '', 'shut/b': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'shut'), 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    const found = await list(root, { ripgrep: program }).finally(() => {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, 'shut'), 0o755);
    });
    expect(found).toMatchObject({ paths: ['open/a'], unreadable: 1 });
  });

  it('stops when it is interrupted', async () => {
    const root = tree({ a: '' });
    await expect(list(root, { ripgrep: program, signal: AbortSignal.abort() })).rejects.toThrow();
    const controller = new AbortController();
    const running = list(root, { ripgrep: program, signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toThrow();
  });
});

describe.each(engines)('a huge ignore file, $engine', ({ program }) => {
  it('ends the search with the name of the file', async () => {
    const root = tree({ '.gitignore': '**/x*/**/y\n'.repeat(300_000), 'a/b': '' });
    const error = /^The search was not made: .*\.gitignore has more than 20,000 lines or 1 MB\./;
    await expect(list(root, { ripgrep: program })).rejects.toThrow(error);
    await expect(list(join(root, 'a'), { ripgrep: program })).rejects.toThrow(error);
  });
});

it('a hostile ignore file and a large directory leave other work its turns', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, '']));
  const lines = Array.from({ length: 15_000 }, (_, index) => `*a*b${index}*c*`);
  const root = tree({ ...files, '.gitignore': lines.join('\n') });
  const controller = new AbortController();
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns === 20) controller.abort();
    if (turns < 20) setImmediate(turn);
  };
  setImmediate(turn);
  const found: string[] = [];
  const search = list(root, { signal: controller.signal, onFile: (path) => found.push(path) });
  await expect(search).rejects.toThrow();
  expect(found.length).toBeLessThan(600);
});

it('continues alone where ripgrep cannot be started or is too old', async () => {
  proves('R-30');
  const root = tree({
    'a.ts': '',
    'old-rg': '#!/bin/sh\necho "error: Found argument that wasn\'t expected" >&2\nexit 2\n',
  });
  chmodSync(join(root, 'old-rg'), 0o755);
  for (const program of [join(root, 'gone'), join(root, 'old-rg')]) {
    expect((await list(root, { ripgrep: program, names: ['*.ts'] })).paths).toEqual(['a.ts']);
  }
});

describe.skipIf(ripgrep === undefined)('both engines', () => {
  it('list the same files of random trees with random ignore files', async () => {
    proves('R-30', 'R-31');
    const name = fc.constantFrom('a', 'b', 'ab', 'a.b', 'b.a', '.a', 'a b', '[a]', 'A');
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    // Without braces, triple stars and é, which ripgrep reads differently from git.
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        '*',
        '**',
        '?',
        '*a',
        'a*',
        '[ab]',
        '[!a]',
        '[^b]*',
        '.a',
        'a.b',
        '.*',
        '\\[a\\]',
        'a**',
        '[a',
        '[]a]',
        '[a-b]',
        '?b',
      ],
    );
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '', '!', '!', '#', '\\!', ' '),
        fc.constantFrom('', '', '/', '**/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '', '/', '/**', ' ', '\\ ', '/*'),
      )
      .map(([sign, start, parts, end]) => sign + start + parts.join('/') + end);
    const ignoreFile = fc.tuple(
      fc.oneof(fc.constant(''), path),
      fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore', '.git/info/exclude', '.git/HEAD'),
      fc.array(pattern, { minLength: 1, maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 25 }),
        fc.array(ignoreFile, { maxLength: 4 }),
        fc.option(name, { nil: undefined }),
        async (files, ignoreFiles, start) => {
          const root = makeTree({
            ...Object.fromEntries(files.map((file) => [file, ''])),
            ...Object.fromEntries(
              ignoreFiles.map(([directory, kind, lines]) => [join(directory, kind), `${lines.join('\n')}\n`]),
            ),
          });
          try {
            mkdirSync(join(root, start ?? '.'), { recursive: true });
            const place = join(root, start ?? '.');
            expect((await list(place)).paths).toEqual((await list(place, { ripgrep })).paths);
          } catch (thrown) {
            if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
          } finally {
            rmSync(root, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });

  it('know the same file types', async () => {
    proves('R-30', 'R-31');
    const listed = execFileSync(ripgrep ?? '', ['--no-config', '--type-list'], { encoding: 'utf8' });
    const types = new Map(
      listed
        .trim()
        .split('\n')
        .map((line) => line.split(': ', 2))
        .map(([name = '', globs = '']) => [name, globs.split(', ')]),
    );
    for (const [name, globs] of Object.entries(fileTypes))
      if (types.has(name)) expect([name, globs]).toEqual([name, types.get(name)]);
  });
});
