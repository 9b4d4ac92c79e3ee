import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findRipgrep } from './find-ripgrep.ts';
import { MatchCollector } from './match-collector.ts';
import { type ContentSearch, searchContent } from './search-content.ts';

// The one installed with the project, because versions differ in details; another where there is none.
const ripgrep = await import('@vscode/ripgrep').then(
  (found) => found.rgPath,
  () => findRipgrep(),
);

type Files = Readonly<Record<string, string | Buffer>>;

function tree(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-search-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

async function search(root: string, options: Partial<ContentSearch> & { readonly limit?: number }) {
  const mode = options.mode ?? 'content';
  const collector = new MatchCollector({
    limit: options.limit ?? 1000,
    wantsLines: mode === 'content',
    isMeant: () => true,
  });
  const end = await searchContent({
    root,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ripgrep: undefined,
    pattern: 'x',
    isLiteral: false,
    ignoreCase: false,
    isMultiline: false,
    context: 0,
    mode,
    ...options,
    collector,
  });
  return { end, found: collector.result(), files: collector.files, matches: collector.matches };
}

const lines = (found: Awaited<ReturnType<typeof search>>) =>
  found.found.flatMap(({ path, lines }) =>
    lines.map(({ number, isMatch, text }) => `${path} ${number}${isMatch ? ':' : '-'}${text}`),
  );

const engines = [
  { engine: 'own', program: undefined },
  { engine: 'ripgrep', program: ripgrep },
].filter(({ engine, program }) => engine === 'own' || program !== undefined);

describe.each(engines)('with the $engine engine', ({ program }) => {
  it('finds lines, sorted by path, with context', async () => {
    proves('R-31');
    const root = tree({
      'b.txt': 'one\ntwo\nthree\nfour\n',
      'a/c.txt': 'two',
      '.gitignore': 'no.txt',
      'no.txt': 'two',
    });
    const found = await search(root, { ripgrep: program, pattern: 't[wh]', context: 1 });
    expect(lines(found)).toEqual([
      'a/c.txt 1:two',
      'b.txt 1-one',
      'b.txt 2:two',
      'b.txt 3:three',
      'b.txt 4-four',
    ]);
    expect(found).toMatchObject({
      files: 2,
      matches: 3,
      end: { searched: 3, unreadable: 0, isTimedOut: false },
    });
  });

  it('keeps the first lines by path in bounded memory and counts all', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1200 }, (_, index) => [`f${String(index).padStart(4, '0')}`, 'x\nx\n']),
    );
    const found = await search(tree(files), { ripgrep: program, limit: 3 });
    expect(lines(found)).toEqual(['f0000 1:x', 'f0000 2:x', 'f0001 1:x', 'f0001 2:x']);
    expect(found).toMatchObject({ files: 1200, matches: 2400 });
  });

  it('takes the pattern literally when asked, also with a leading dash', async () => {
    const root = tree({ a: 'a(b\n--files\n[x\n' });
    const literal = (pattern: string) => search(root, { ripgrep: program, pattern, isLiteral: true });
    expect(lines(await literal('a(b'))).toEqual(['a 1:a(b']);
    expect(lines(await literal('--files'))).toEqual(['a 2:--files']);
    expect(lines(await search(root, { ripgrep: program, pattern: '-{2}f' }))).toEqual(['a 2:--files']);
  });

  it('says what is wrong with a pattern and what to do', async () => {
    const root = tree({ a: 'a' });
    const bad = (pattern: string) => search(root, { ripgrep: program, pattern });
    await expect(bad('foo(')).rejects.toThrow(/not a valid regular expression[\s\S]*literal: true/);
    await expect(bad('[z-a]')).rejects.toThrow(/not a valid regular expression/);
    await expect(bad('a\\nb')).rejects.toThrow('multiline: true');
    await expect(search(root, { ripgrep: program, type: 'nonsense' })).rejects.toThrow(
      'Unknown file type "nonsense"',
    );
  });

  it('skips binary files and reads UTF-16', async () => {
    const root = tree({
      bin: Buffer.from('find me\0\n'),
      late: Buffer.concat([Buffer.from(`find me\n${'y'.repeat(200_000)}\n`), Buffer.from([0])]),
      wide: Buffer.from('\ufefffind me\n', 'utf16le'),
      crlf: 'find me\r\nnot\r\n',
    });
    expect(lines(await search(root, { ripgrep: program, pattern: 'me$' }))).toEqual([
      'crlf 1:find me',
      'wide 1:find me',
    ]);
  });

  it('cuts long lines around the match', async () => {
    const root = tree({ a: `${'é'.repeat(2000)}needle${'ü'.repeat(2_000_000)}\nneedle\n` });
    const [first, second] = lines(await search(root, { ripgrep: program, pattern: 'needle' }));
    expect(first).toMatch(/^a 1:…é+needleü+…$/);
    expect(first?.length).toBeLessThan(600);
    expect(second).toBe('a 2:needle');
  });

  it('searches one file by name, whatever is ignored', async () => {
    const root = tree({ '.gitignore': '*', 'a.log': 'x' });
    expect(lines(await search(root, { ripgrep: program, file: 'a.log' }))).toEqual(['a.log 1:x']);
    expect(lines(await search(root, { ripgrep: program }))).toEqual([]);
  });

  it('stops when it is interrupted', async () => {
    const root = tree({ a: 'x' });
    await expect(search(root, { ripgrep: program, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe.skipIf(ripgrep === undefined)('both engines', () => {
  const patterns = [
    ...[
      'a',
      '^a',
      'b$',
      'a.b',
      '\\bfoo\\b',
      'foo\\w+',
      '(?i)FOO',
      '[a-z]+\\d',
      '\\d{2,}',
      'x*',
      '^$',
      '\\s+$',
    ],
    ...['(?<n>a)b', '[^a-z\\s]', 'a|é', '\\.ts', '[\\w-]+@', 'foo(?=bar)', '(?<!x)foo', '(a)\\1', '\\x61b'],
    ...['[-x]', 'a{2}', '"\\-"', 'interface\\{', '\\Bo'],
  ];
  const content = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        'foo',
        'foobar',
        ' ',
        '\n',
        '\n',
        '\r\n',
        'é',
        'λ',
        '12',
        '.ts',
        'x',
        '-',
        '@',
        'aa',
        '"-"',
        '{',
        'interface{',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));

  it('find the same in random files', async () => {
    proves('R-31');
    const root = tree({});
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...patterns),
        fc.record({
          ignoreCase: fc.boolean(),
          context: fc.nat(2),
          mode: fc.constantFrom<ContentSearch['mode']>('content', 'files', 'count'),
        }),
        async (texts, pattern, options) => {
          for (let index = 0; index < 4; index += 1)
            writeFileSync(join(root, `f${index}`), texts[index] ?? '');
          const [own, other] = [
            await search(root, { ...options, pattern }),
            await search(root, { ...options, pattern, ripgrep }),
          ];
          expect(own.found).toEqual(other.found);
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 150) },
    );
  });

  it('find the same across lines', async () => {
    proves('R-31');
    const root = tree({});
    const across = ['a\\nb', 'foo.*bar', 'a[^b]*b', '\\n\\n', 'b$', '^foo', '(?s)a.*?x', 'é\\s+a'];
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...across), fc.nat(1), async (text, pattern, context) => {
        writeFileSync(join(root, 'f'), text.replaceAll('\r', ''));
        const options = { pattern, context, isMultiline: true };
        expect(lines(await search(root, options))).toEqual(
          lines(await search(root, { ...options, ripgrep })),
        );
      }),
      { numRuns: Number(process.env.RUNS ?? 80) },
    );
  });
});

describe('the own engine', () => {
  it.each([
    ['[[:alpha:]]+', '[[:alpha:]'],
    ['\\p{Greek}', '\\p{'],
    ['\\pL+', '\\p'],
    ['(?P<n>a)', '(?P'],
    ['\\<foo', '\\<'],
    ['foo\\>', '\\>'],
    ['\\x{e9}', '\\x{'],
    ['[a-c&&[^b]]', '[a-c&&[^b]'],
    ['[]x]', '[]x]'],
    ['\\Aa', '\\A'],
  ])('refuses %s, which only ripgrep reads, and names the part', async (pattern, part) => {
    const root = tree({ a: 'a' });
    await expect(search(root, { pattern })).rejects.toThrow(
      `${JSON.stringify(part)} in the pattern needs ripgrep`,
    );
  });

  it('gives up a pattern that backtracks without end, and names the file', async () => {
    const root = tree({ 'slow.txt': `${'a'.repeat(60)}!` });
    await expect(search(root, { pattern: '^(a+)+$' })).rejects.toThrow(/takes too long in slow\.txt/);
  });
});

describe.each(engines)('pipes and devices, $engine', ({ program }) => {
  const pipe = (path: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  const device = (path: string) => symlinkSync('/dev/zero', path);
  it.each<[string, (root: string) => void]>([
    ['a pipe among the files', (root) => pipe(join(root, 'a/pipe'))],
    ['a pipe as ignore file at the top', (root) => pipe(join(root, '.gitignore'))],
    ['a pipe as ignore file deep inside', (root) => pipe(join(root, 'a/b/.gitignore'))],
    ['a pipe as .ignore', (root) => pipe(join(root, 'a/.ignore'))],
    ['a pipe as .rgignore', (root) => pipe(join(root, 'a/.rgignore'))],
    ['a device as ignore file', (root) => device(join(root, 'a/.gitignore'))],
    ['a pipe as .git/info/exclude', (root) => pipe(join(root, '.git/info/exclude'))],
    ['a pipe as the exclude file of a repository inside', (root) => pipe(join(root, 'a/.git/info/exclude'))],
    [
      'a pipe as the commondir of a linked work tree',
      (root) => {
        writeFileSync(join(root, 'a/b/.git'), 'gitdir: ../away\n');
        mkdirSync(join(root, 'a/away'));
        pipe(join(root, 'a/away/commondir'));
      },
    ],
    ['a .git file that names itself', (root) => writeFileSync(join(root, 'a/b/.git'), 'gitdir: .git\n')],
  ])('%s: is skipped and each match found once', async (_, make) => {
    const root = tree({ 'a/b/text': 'needle', top: 'needle', '.git/info/x': '', 'a/.git/info/x': '' });
    make(root);
    const found = await search(root, { pattern: 'needle', ripgrep: program });
    expect(found.end.isTimedOut).toBe(false);
    expect(lines(found)).toEqual(['a/b/text 1:needle', 'top 1:needle']);
  });
});
