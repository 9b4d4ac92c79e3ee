import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IgnoreFiles, ignoreFileNames } from './ignore-files.ts';

function workspace(files: Readonly<Record<string, string>>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ignore-files-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const put = (name: string, text: string) => {
    const path = join(base, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  const cwd = join(base, 'project');
  mkdirSync(cwd, { recursive: true });
  const own = { cwd, additional: [], home: join(base, 'home') };
  const userFile = join(base, 'user-ignore');
  const ignored = new IgnoreFiles({ workspace: own, names: ignoreFileNames, userFile });
  const lineFor = (name: string) => {
    const origin = ignored.ruleFor(join(cwd, name))?.origin;
    return origin && `${origin.source.slice(base.length + 1)}:${origin.line}`;
  };
  return { base, cwd, put, ignored, lineFor, own, userFile };
}

describe('IgnoreFiles', () => {
  it('hides what any of its files names, at any depth, and says by which line', () => {
    const { lineFor } = workspace({
      'project/.agentignore': '# secrets\n*.key\n/build/\n!public.key\n',
      'project/sub/.cursorignore': 'notes/*.md\n',
      'project/sub/deep/.agentignore': '!a.key\n',
      'project/build/out.js': '',
    });
    expect(lineFor('a.key')).toBe('project/.agentignore:2');
    expect(lineFor('sub/b.key')).toBe('project/.agentignore:2');
    expect(lineFor('sub/deep/a.key')).toBeUndefined();
    expect(lineFor('public.key')).toBeUndefined();
    expect(lineFor('build')).toBe('project/.agentignore:3');
    expect(lineFor('build/out.js')).toBe('project/.agentignore:3');
    expect(lineFor('sub/build/out.js')).toBeUndefined();
    expect(lineFor('sub/notes/a.md')).toBe('project/sub/.cursorignore:1');
    expect(lineFor('notes/a.md')).toBeUndefined();
    expect(lineFor('.agentignore')).toBeUndefined();
  });

  it('lets no file of a repository show what another kind or the file of the user hides', () => {
    const { lineFor } = workspace({
      'user-ignore': '.env\n/private/\n',
      'project/.git/HEAD': '',
      'project/.agentignore': '!.env\n!private/\nsecret\n',
      'project/.geminiignore': '!secret\n',
      'project/sub/.agentignore': '!.env\n',
      'project/private/a': '',
    });
    expect(lineFor('.env')).toBe('user-ignore:1');
    expect(lineFor('sub/.env')).toBe('user-ignore:1');
    expect(lineFor('private/a')).toBe('user-ignore:2');
    expect(lineFor('secret')).toBe('project/.agentignore:3');
  });

  it('reads the files of the directories above, up to the top of the repository', () => {
    const { base, userFile } = workspace({
      'above/.agentignore': 'far\n',
      'above/repository/.git/HEAD': '',
      'above/repository/.aiexclude': 'near\n/packages/one/own\n',
      'above/repository/packages/one/x': '',
    });
    const cwd = join(base, 'above/repository/packages/one');
    const own = { cwd, additional: [], home: base };
    const ignored = new IgnoreFiles({ workspace: own, names: ignoreFileNames, userFile });
    expect(ignored.ruleFor(join(cwd, 'near'))?.origin.line).toBe(1);
    expect(ignored.ruleFor(join(cwd, 'own'))?.origin.line).toBe(2);
    expect(ignored.ruleFor(join(cwd, 'far'))).toBeUndefined();
    expect(ignored.rules.map(({ specifier }) => specifier)).toEqual(['near', '/own']);
  });

  it('follows changes, and hides everything below a file that it cannot read', () => {
    const { put, lineFor, base } = workspace({ 'project/.agentignore': 'one\n' });
    expect(lineFor('one')).toBe('project/.agentignore:1');
    put('project/.agentignore', '\ntwo\n');
    put('project/sub/.agentignore', 'three\n');
    expect([lineFor('one'), lineFor('two'), lineFor('sub/three')]).toEqual([
      undefined,
      'project/.agentignore:2',
      'project/sub/.agentignore:1',
    ]);
    mkdirSync(join(base, 'project/closed'));
    symlinkSync('/dev/null', join(base, 'project/closed/.agentignore'));
    expect(lineFor('closed/anything')).toBe('project/closed/.agentignore:1');
  });

  it('lists the topmost hidden paths for a sandbox, links left out', () => {
    const { ignored, cwd } = workspace({
      'project/.agentignore': '*.key\nprivate/\n',
      'project/a.key': '',
      'project/sub/b.key': '',
      'project/private/c.key': '',
      'project/plain': '',
    });
    symlinkSync('plain', join(cwd, 'link.key'));
    expect([...ignored.hiddenPaths()].sort()).toEqual(
      ['a.key', 'private', 'sub/b.key'].map((name) => join(cwd, name)),
    );
  });

  it('knows a name by each of its spellings in Unicode', () => {
    const [composed, parts] = ['Schlüssel'.normalize('NFC'), 'Schlüssel'.normalize('NFD')];
    const { lineFor } = workspace({ 'project/.agentignore': `${parts}.txt\n${composed}/\n` });
    for (const name of [composed, parts]) {
      expect(lineFor(`${name}.txt`)).toBe('project/.agentignore:1');
      expect(lineFor(`${name}/inner`)).toBe('project/.agentignore:2');
    }
  });

  it('is slow by no pattern and by no number of them', () => {
    const starts = ['**/', '*a', '[!a]', '**', '(a+)+', '{a,', '*a*/**/'].map((part) => part.repeat(60));
    const many = Array.from({ length: 10_000 }, (_, index) => `dir-${index}/**/x*${index}?.log`);
    const lines = [...many, ...starts.map((start) => `${start}z`), 'secret'];
    const { lineFor } = workspace({ 'project/.agentignore': lines.join('\n') });
    const began = process.cpuUsage();
    const long = `${'a'.repeat(200)}/${'aa/'.repeat(100)}${'a'.repeat(200)}`;
    expect([lineFor('secret'), lineFor(long)]).toEqual([`project/.agentignore:${lines.length}`, undefined]);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  });

  it('hides everything below a file that is too large, and says why', () => {
    const { lineFor, ignored, cwd, put } = workspace({});
    put('project/.agentignore', 'x\n'.repeat(20_001));
    put('project/sub/.aiexclude', 'y'.repeat(1024 * 1024 + 1));
    expect(lineFor('a/b')).toBe('project/.agentignore:1');
    expect(ignored.ruleFor(join(cwd, 'a'))?.text).toBe(
      '* (all, since it has more than 20,000 lines or 1 MB)',
    );
  });

  it('answers for a path of thousands of directories that are missing', () => {
    const { lineFor, put } = workspace({ 'project/.agentignore': 'secret\n' });
    put('project/d/x', '');
    expect(lineFor(`${'d/'.repeat(1900)}f`)).toBeUndefined();
    expect(lineFor(`${'d/'.repeat(900)}secret/${'d/'.repeat(900)}f`)).toBe('project/.agentignore:1');
  });

  it('hides from a search, directory by directory, what it hides path by path', () => {
    const name = fc.constantFrom('a', 'b', 'a.x', 'A', 'keep');
    const line = fc
      .tuple(
        fc.constantFrom('', '', '!'),
        fc.constantFrom('', '/', '**/'),
        fc.array(fc.constantFrom('a', '*', '**', 'b', '*.x', 'keep', 'a*'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/'),
      )
      .map(([sign, start, parts, end]) => sign + start + parts.join('/') + end);
    const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n'));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(path, { minLength: 5, maxLength: 5 }),
        (top, inner, other, asked) => {
          const { ignored, cwd, base } = workspace({
            'user-ignore': other,
            'project/.agentignore': top,
            'project/.cursorignore': other,
            'project/a/.agentignore': inner,
            'project/a/b/keep': '',
          });
          const search = ignored.search();
          for (const one of asked) {
            const file = join(cwd, one);
            const names = search.in(dirname(file));
            const isDirectory = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
            const isHidden = typeof names === 'string' ? names === 'all' : names(basename(file), isDirectory);
            expect({ one, isHidden }).toEqual({ one, isHidden: ignored.ruleFor(file) !== undefined });
          }
          rmSync(base, { recursive: true, force: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lists the same rules for a search as for a decision', async () => {
    const files = {
      'project/.agentignore': 'a\n!b\n',
      'project/sub/.aiexclude': '/c\n',
      'user-ignore': 'd\n',
    };
    const listed = await workspace(files).ignored.listRules();
    expect(listed.map(({ specifier }) => specifier)).toEqual(['a', 'd', '/sub/c']);
    expect(workspace(files).ignored.rules.map(({ specifier }) => specifier)).toEqual(['a', 'd', '/sub/c']);
  });

  it('decides as git does, by the same line', () => {
    const names = ['a', 'b', 'ab', 'a.x', 'b x', 'A', 'a-b', '[a]', 'a\\b', '#a', '!a'];
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'ignore-git-')));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    execFileSync('git', ['init', '-q', base]);
    const pieces = [
      'a',
      'b',
      'x',
      '*',
      '**',
      '?',
      '/',
      '/',
      '[ab]',
      '[!a]',
      '[a-b]',
      '[[:alpha:]]',
      '.',
      ' ',
      '\\',
      '\\ ',
    ];
    const more = ['!', '#', '[', ']', '-', '***', '{a,b}', '[]a]', '[^b]', '\\[', '\t'];
    const line = fc
      .array(fc.constantFrom(...pieces, ...more), { maxLength: 6 })
      .map((parts) => parts.join(''));
    const text = fc.array(line, { maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`);
    const path = fc
      .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    const paths = fc.uniqueArray(path, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(text, text, paths, (top, inner, asked) => {
        for (const name of ['.gitignore', '.agentignore']) {
          mkdirSync(join(base, 'a'), { recursive: true });
          writeFileSync(join(base, name), top);
          writeFileSync(join(base, 'a', name), inner);
        }
        const own = { cwd: base, additional: [], home: '/home/u' };
        const ignored = new IgnoreFiles({ workspace: own, names: ['.agentignore'], userFile: '/missing' });
        const expected = askGit(base, asked);
        const found = asked.map((name) => {
          const rule = ignored.ruleFor(join(base, name));
          return (
            rule && `${rule.origin.source.slice(base.length + 1).replace('agent', 'git')}:${rule.origin.line}`
          );
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

/** The file and line by which git ignores each path. */
function askGit(cwd: string, paths: readonly string[]): (string | undefined)[] {
  const options = ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'];
  let output: string;
  try {
    output = execFileSync('git', options, {
      cwd,
      input: paths.map((one) => `${one}\0`).join(''),
      encoding: 'utf8',
    });
  } catch (thrown) {
    // Git ends with 1 where no path is ignored.
    output = String((thrown as { stdout: string }).stdout);
  }
  const fields = output.split('\0');
  return paths.map((_, index) => {
    const [source = '', line = '', pattern = ''] = fields.slice(index * 4, index * 4 + 4);
    return source === '' || pattern.startsWith('!') ? undefined : `${source}:${line}`;
  });
}
