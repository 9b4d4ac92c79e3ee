import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInWorkspace, SessionState } from '@robota-sdk/agent-core';
import { layOutPathCase, loadPathCases, type PathCase } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmAccess,
  declareAccess,
  openResolved,
  type PathKind,
  resolvePath,
  windowsProblem,
} from './resolve-path.ts';

const kinds: Readonly<Record<string, PathKind>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'write',
  Glob: 'search',
  Grep: 'search',
};
const resolverCodes = new Set([
  'InvalidPath',
  'IsDirectory',
  'NameTooLong',
  'NotADirectory',
  'NotARegularFile',
  'NotFound',
  'SymlinkLoop',
]);

/**
 * True if the answer depends on the path alone; rules, protected places and contents are for those who use
 * it.
 */
function isAboutPath({ code, group }: PathCase): boolean {
  return resolverCodes.has(code) || code === 'OutsideWorkspace' || (code === 'ok' && group !== 'rules');
}

function idsOf(code: string): string {
  return code === 'ok' ? 'E-1 E-42' : 'E-41';
}

describe('path cases', () => {
  for (const pathCase of loadPathCases().filter(isAboutPath)) {
    it(`${idsOf(pathCase.code)} ${pathCase.id} ${pathCase.tool}: ${pathCase.why}`, async () => {
      const { tool, path, code, workspace, dispose } = layOutPathCase(pathCase);
      try {
        const pattern = tool === 'Glob' ? path.replace(/\/\*\*$/, '') : path;
        const { real, problem } = await resolvePath(pattern, workspace, kinds[tool] ?? 'read');
        const inside = isInWorkspace(real, workspace);
        if (code === 'ok') expect({ problem, inside }).toEqual({ problem: undefined, inside: true });
        else if (code === 'OutsideWorkspace') expect(problem === 'OutsideWorkspace' || !inside).toBe(true);
        else expect(problem).toBe(code);
      } finally {
        dispose();
      }
    });
  }
});

describe('resolvePath', () => {
  let base: string;
  let workspace: { cwd: string; additional: string[]; home: string };
  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'robota-resolve-')));
    workspace = { cwd: join(base, 'ws'), additional: [join(base, 'added')], home: base };
    mkdirSync(join(base, 'ws', 'src'), { recursive: true });
    mkdirSync(join(base, 'added'));
    mkdirSync(join(base, 'out', 'deep'), { recursive: true });
    writeFileSync(join(base, 'ws', 'src', 'a.ts'), 'a');
    writeFileSync(join(base, 'out', 'secret'), 's');
    symlinkSync('../out/deep', join(base, 'ws', 'link'));
    symlinkSync(join(base, 'out', 'new.txt'), join(base, 'ws', 'dangling'));
    symlinkSync('/proc/self/cwd', join(base, 'ws', 'cwd-link'));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it('changes nothing about plain names but makes them absolute', async () => {
    proves('E-42');
    const name = fc.stringMatching(/^[a-zA-Z0-9 ~$%{}'"*?\\()-]{1,20}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
        const expected = join(workspace.cwd, 'new', ...names);
        const resolved = await resolvePath(['new', ...names].join('/'), workspace, 'write');
        expect(resolved).toEqual({ path: expected, real: expected });
      }),
      { numRuns: 50 },
    );
  });

  it('calls nothing inside that a link could still lead out of', async () => {
    const step = fc.constantFrom('..', '.', '', 'src', 'link', 'dangling', 'x', 'a.ts', 'cwd-link');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { real, problem } = await resolvePath(`./${steps.join('/')}`, workspace, 'write');
        if (problem || !isInWorkspace(real, workspace)) return;
        // A path inside the workspace has no link left that could lead out.
        const again = await resolvePath(real, workspace, 'write');
        expect(again.real).toBe(real);
      }),
      { numRuns: 300 },
    );
  });

  it('follows links as the kernel does, also before ..', async () => {
    proves('E-41');
    expect((await resolvePath('link/../secret', workspace, 'read')).real).toBe(join(base, 'out', 'secret'));
    expect((await resolvePath('dangling', workspace, 'write')).real).toBe(join(base, 'out', 'new.txt'));
    expect((await resolvePath('link/a/b', workspace, 'write')).real).toBe(
      join(base, 'out', 'deep', 'a', 'b'),
    );
    expect((await resolvePath('nothing/../src/a.ts', workspace, 'read')).real).toBe(
      join(workspace.cwd, 'src', 'a.ts'),
    );
  });

  it('refuses process and device paths by any way', async () => {
    for (const path of [
      '/proc/1/environ',
      '/dev/null',
      '/dev',
      '/proc/../etc/passwd',
      'cwd-link/x',
      '/dev/fd/0',
    ]) {
      expect((await resolvePath(path, workspace, 'search')).problem, path).toBe('OutsideWorkspace');
    }
    expect((await resolvePath('/dev/shm', workspace, 'search')).problem).not.toBe('OutsideWorkspace');
  });

  it('names what is wrong with unusable paths', async () => {
    const problemOf = async (path: string, kind: PathKind) =>
      (await resolvePath(path, workspace, kind)).problem;
    expect(await problemOf('', 'read')).toBe('InvalidPath');
    expect(await problemOf('a\ud800b', 'write')).toBe('InvalidPath');
    expect(await problemOf('\u202egnp.exe', 'write')).toBe('InvalidPath');
    expect(await problemOf('x'.repeat(256), 'write')).toBe('NameTooLong');
    expect(await problemOf('é'.repeat(128), 'write')).toBe('NameTooLong');
    expect(await problemOf(`${'d/'.repeat(200)}f`, 'write')).toBeUndefined();
    expect(await problemOf(`${'d/'.repeat(1500)}f`, 'write')).toBe('TooDeep');
    expect(await problemOf(`${'d/../'.repeat(300)}f`, 'write')).not.toBe('TooDeep');
    expect(await problemOf('src/a.ts/b', 'write')).toBe('NotADirectory');
    expect(await problemOf('src/a.ts/.', 'read')).toBe('NotADirectory');
    expect(await problemOf('newdir/', 'write')).toBe('IsDirectory');
    expect(await problemOf('src', 'search')).toBeUndefined();
    expect(await problemOf('nowhere', 'search')).toBe('NotFound');
  });

  it('knows added directories and siblings with the same beginning', () => {
    expect(isInWorkspace(join(base, 'added', 'x'), workspace)).toBe(true);
    expect(isInWorkspace(workspace.cwd, workspace)).toBe(true);
    expect(isInWorkspace(`${workspace.cwd}-evil/x`, workspace)).toBe(false);
    expect(isInWorkspace(join(workspace.cwd, '..x'), workspace)).toBe(true);
    expect(isInWorkspace(base, workspace)).toBe(false);
  });

  it('knows what Windows gives a second meaning', () => {
    for (const path of [
      '.git::$INDEX_ALLOCATION/config',
      'CON',
      'aux.txt',
      'a/NUL',
      'x.',
      'x ',
      'f:stream',
    ]) {
      expect(windowsProblem(path), path).toBe('InvalidPath');
    }
    for (const path of ['\\\\evil\\share\\x', '//server/x', '\\\\?\\C:\\x'])
      expect(windowsProblem(path)).toBe('OutsideWorkspace');
    for (const path of ['C:\\a\\b.txt', '..\\x', './console.ts', 'a/b'])
      expect(windowsProblem(path), path).toBeUndefined();
  });

  it('fails a call whose path leads elsewhere than when it was checked', async () => {
    proves('E-41');
    const scope = { workspace, state: new SessionState() };
    writeFileSync(join(workspace.cwd, 'swap'), '1');
    const use = { input: {}, path: 'swap', kind: 'write' } as const;
    await declareAccess(use, scope);
    expect((await confirmAccess(use, scope)).real).toBe(join(workspace.cwd, 'swap'));
    renameSync(join(workspace.cwd, 'swap'), join(workspace.cwd, 'swap-old'));
    symlinkSync(join(base, 'out', 'secret'), join(workspace.cwd, 'swap'));
    await expect(confirmAccess(use, scope)).rejects.toThrow(/now points to .*secret/);
    await expect(openResolved(join(workspace.cwd, 'swap'))).rejects.toThrow('ELOOP');
  });

  it('fails a write to what was unusable when it was checked, but reads what has appeared since', async () => {
    proves('E-41');
    const scope = { workspace, state: new SessionState() };
    const write = { input: {}, path: 'was-directory', kind: 'write' } as const;
    const read = { input: {}, path: 'appears', kind: 'read' } as const;
    mkdirSync(join(workspace.cwd, 'was-directory'));
    expect(await declareAccess(write, scope)).toMatchObject({ problem: 'IsDirectory' });
    expect(await declareAccess(read, scope)).toMatchObject({ problem: 'NotFound' });
    rmSync(join(workspace.cwd, 'was-directory'), { recursive: true });
    writeFileSync(join(workspace.cwd, 'appears'), 'x');
    await expect(confirmAccess(write, scope)).rejects.toThrow('Call again');
    expect((await confirmAccess(read, scope)).real).toBe(join(workspace.cwd, 'appears'));
  });
});
