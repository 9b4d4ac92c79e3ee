import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MadeEntry, tarOf, zipOf } from '../plugins/fixtures/make-archive.ts';
import { unpackArchive } from './unpack-archive.ts';

const makers = [
  ['tar', tarOf],
  ['zip', zipOf],
] as const;

async function unpack(bytes: Buffer): Promise<{ directory: string; files: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'robota-unpack-'));
  await unpackArchive(bytes, directory);
  const names = readdirSync(directory, { recursive: true }).map(String);
  return { directory, files: names.filter((name) => lstatSync(join(directory, name)).isFile()).sort() };
}

/** A refused archive leaves nothing on disk. */
async function refusal(bytes: Buffer): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'robota-unpack-'));
  const problem = await unpackArchive(bytes, directory).then(
    () => 'it was unpacked',
    (thrown: Error) => thrown.message,
  );
  expect(readdirSync(directory)).toEqual([]);
  return problem;
}

describe.each(makers)('a %s archive', (kind, archiveOf) => {
  it('unpacks files and folders, with nothing but the bit for running left of their modes', async () => {
    proves('R-59');
    const { directory, files } = await unpack(
      archiveOf([
        { name: 'a/', type: '5' },
        { name: 'a/run.sh', text: '#!/bin/sh', mode: 0o4755 },
        { name: 'a/b/text.md', text: 'hällo', mode: 0o666 },
        { name: '.claude-plugin/plugin.json', text: '{}' },
      ]),
    );
    expect(files).toEqual(['.claude-plugin/plugin.json', 'a/b/text.md', 'a/run.sh']);
    expect(readFileSync(join(directory, 'a/b/text.md'), 'utf8')).toBe('hällo');
    expect(lstatSync(join(directory, 'a/run.sh')).mode & 0o7777).toBe(0o700);
    expect(lstatSync(join(directory, 'a/b/text.md')).mode & 0o7777).toBe(0o600);
  });

  it.each([
    ['leads out', ['../../evil.sh']],
    ['leads out', ['a/../../evil.sh']],
    ['absolute', ['/etc/cron.d/x']],
    ['not a plain path', ['C:\\x']],
    ['not a plain path', ['\\\\srv\\x']],
    ['not a plain path', ['a//b']],
    ['not a plain path', ['a/./b']],
    ['not a plain path', ['trailing. ']],
    ["can't be seen", ['a\u202Etxt.sh']],
    ["can't be seen", ['a\nb']],
    ['twice', ['manifest.json', 'manifest.json']],
    ['twice', ['a', 'a/b']],
    ['differ only', ['Read.md', 'README.MD', 'read.md']],
    ['differ only', ['Docs/a', 'docs/b']],
    ['differ only', ['caf\u00e9', 'cafe\u0301']],
    ['too long', ['x'.repeat(300)]],
    ['too long', [Array.from({ length: 40 }, () => 'a').join('/')]],
    ['reserved on Windows', ['CON']],
    ['reserved on Windows', ['skills/aux.md']],
    ['reserved on Windows', ['a/LPT1.tar.gz/x']],
    ['reserved on Windows', ['nul .txt']],
  ])('refuses a name: %s, %j', async (why, names) => {
    proves('R-59');
    expect(await refusal(archiveOf(['fine.md', ...names]))).toContain(why);
    expect(await refusal(archiveOf([]))).toContain('no file');
  });

  it('unpacks a link to something in it as a copy', async () => {
    proves('R-59');
    const link = (name: string, target: string): MadeEntry => ({ name, type: '2', target });
    const { directory, files } = await unpack(
      archiveOf([
        { name: 'p/CLAUDE.md', text: 'text' },
        { name: 'p/skills/a/SKILL.md', text: 'skill' },
        { name: 'p/skills/a/run.sh', text: 'run', mode: 0o755 },
        link('p/AGENTS.md', 'CLAUDE.md'),
        link('p/deep/GEMINI.md', '../AGENTS.md'),
        link('p/.agents/skills', '../skills'),
      ]),
    );
    expect(files).toContain('p/.agents/skills/a/SKILL.md');
    expect(readFileSync(join(directory, 'p/AGENTS.md'), 'utf8')).toBe('text');
    expect(readFileSync(join(directory, 'p/deep/GEMINI.md'), 'utf8')).toBe('text');
    expect(lstatSync(join(directory, 'p/.agents/skills/a/run.sh')).mode & 0o7777).toBe(0o700);
    expect(lstatSync(join(directory, 'p/.agents/skills')).isDirectory()).toBe(true);
  });

  it.each([
    ['leads out', [['a', '/etc/passwd']]],
    ['leads out', [['a', '../a']]],
    ['leads out', [['d/a', '../../fine.md']]],
    ['leads out', [['a', 'C:/x']]],
    ['leads out', [['a', '..\\x']]],
    ['leads out', [['a', '']]],
    ['not in it', [['a', 'nothing']]],
    ['not in it', [['a', 'fine.md/x']]],
    ['around it', [['d/a', '.']]],
    ['around it', [['d/e/a', '../..']]],
    [
      'too many',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
    [
      'links in it',
      [
        ['d/a', '../fine.md'],
        ['b', 'd'],
      ],
    ],
  ] as [string, [string, string][]][])('refuses a link that %s: %j', async (why, links) => {
    proves('R-59');
    const made = links.map(([name, target]): MadeEntry => ({ name, type: '2', target }));
    expect(await refusal(archiveOf(['fine.md', 'd/x.md', 'd/e/y.md', ...made]))).toContain(why);
  });

  it('counts what links copy', async () => {
    proves('R-59');
    const links = Array.from(
      { length: 300 },
      (_, at): MadeEntry => ({ name: `l${at}`, type: '2', target: 'd' }),
    );
    const archive = archiveOf([...Array.from({ length: 50 }, (_, at) => `d/f${at}`), ...links]);
    expect(await refusal(archive)).toContain('more than 10000');
  });

  it('refuses links that lead away, devices and pipes', async () => {
    proves('R-59');
    const types: [string, string][] = [
      ['2', '"d"'],
      ...(kind === 'tar' ? ([['1', 'hard link']] as [string, string][]) : []),
      ['3', kind === 'tar' ? 'device' : 'neither'],
      ['6', kind === 'tar' ? 'pipe' : 'neither'],
    ];
    for (const [type, why] of types) {
      const entry: MadeEntry = { name: 'd', type, target: '/tmp' };
      expect(await refusal(archiveOf(['fine.md', entry, 'd/x'])), type).toContain(why);
    }
  });

  it('leaves out what belongs to git', async () => {
    proves('R-59');
    const { files } = await unpack(
      archiveOf(['a.md', '.git/config', 'sub/.git/hooks/post-checkout', '.GIT/x']),
    );
    expect(files).toEqual(['a.md']);
  });

  it('stops at the number of files and of bytes', async () => {
    proves('R-59');
    expect(await refusal(archiveOf(Array.from({ length: 10_001 }, (_, index) => `f${index}`)))).toContain(
      'more than 10000',
    );
    const directory = await mkdtemp(join(tmpdir(), 'robota-unpack-'));
    const bomb = archiveOf([{ name: 'big', text: '0'.repeat(5_000_000) }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(unpackArchive(bomb, directory, { maxFiles: 10, maxBytes: 1_000_000 })).rejects.toThrow(
      /1000000 bytes/,
    );
  });

  it('refuses damage anywhere, and never writes outside', async () => {
    proves('R-59');
    const good = archiveOf([{ name: 'a/b.md', text: 'some text' }, 'c.md']);
    const raw = kind === 'tar' ? gunzipSync(good) : good;
    await fc.assert(
      fc.asyncProperty(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bad = Buffer.from(raw);
        bad[at] = (bad[at] ?? 0) ^ change;
        const directory = await mkdtemp(join(tmpdir(), 'robota-fuzz-'));
        await unpackArchive(bad, join(directory, 'in')).catch((thrown: Error) =>
          expect(thrown.message).toMatch(/refused|EEXIST|ENOTDIR/),
        );
        expect(readdirSync(directory).filter((name) => name !== 'in')).toEqual([]);
      }),
      { numRuns: 150 },
    );
    for (const end of [10, 100, raw.length - (kind === 'tar' ? 1030 : 5)]) {
      const cut = raw.subarray(0, end);
      expect(await refusal(cut), String(end)).toContain('refused');
    }
  });
});

describe('archives that other programs make', () => {
  async function folder(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'robota-made-'));
    const deep = join(directory, 'a-rather-long-name-of-a-folder'.repeat(3), 'b'.repeat(80));
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'long.md'), 'long');
    await writeFile(join(directory, 'run.sh'), 'echo');
    await chmod(join(directory, 'run.sh'), 0o755);
    return directory;
  }

  it.each(['ustar', 'gnu', 'pax'])('reads what tar writes as %s', async (format) => {
    proves('R-59');
    const directory = await folder();
    const bytes = execFileSync('tar', [`--format=${format}`, '-czf', '-', '.'], { cwd: directory });
    const { files } = await unpack(bytes);
    expect(files).toHaveLength(2);
    expect(files.at(-1)).toBe('run.sh');
  });

  it('reads what zip writes', async () => {
    proves('R-59');
    const directory = await folder();
    const made = join(directory, 'out.zip');
    try {
      execFileSync('zip', ['-qr', made, '.'], { cwd: directory });
    } catch {
      return;
    }
    const { files, directory: unpacked } = await unpack(readFileSync(made));
    expect(files).toHaveLength(2);
    expect(lstatSync(join(unpacked, 'run.sh')).mode & 0o777).toBe(0o700);
  });

  it('refuses a gzip file that unpacks without end', async () => {
    proves('R-59');
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    expect(await refusal(bomb)).toContain('more than');
  });
});

it('reads a plain tar whose first file begins with PK, which a zip begins with too', async () => {
  const tar = tarOf([{ name: 'PKGBUILD', text: 'pkgname=x' }]);
  const plain = tar[0] === 0x1f ? gunzipSync(tar) : tar;
  expect((await unpack(plain)).files).toEqual(['PKGBUILD']);
});
