import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluatePermission } from '../index.ts';
import { permissionModes } from './policy/mode.ts';

const before = process.cwd();

beforeEach(() => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'permission-')));
  writeFileSync(join(directory, 'a.ts'), '');
  symlinkSync('/etc/hosts', join(directory, 'link'));
  symlinkSync('/nowhere/at/all', join(directory, 'dangling'));
  process.chdir(directory);
});

afterEach(() => process.chdir(before));

describe('evaluatePermission', () => {
  it('answers by the deny list, then the allow list, then the mode', async () => {
    proves('R-10', 'R-15');
    const git = { command: 'git push origin main' };
    expect(
      await evaluatePermission('Bash', git, 'default', {
        allow: ['Bash(git *)'],
        deny: ['Bash(git push *)'],
      }),
    ).toBe('deny');
    expect(await evaluatePermission('Bash', git, 'default', { allow: ['Bash(git *)'] })).toBe('auto');
    expect(await evaluatePermission('Bash', git, 'default', {})).toBe('approve');
    expect(await evaluatePermission('Bash', git, 'plan')).toBe('deny');
  });

  it('follows the matrix of modes', async () => {
    proves('R-11', 'R-15');
    const row = (tool: string, input: Record<string, string>): Promise<string[]> =>
      Promise.all(permissionModes.map((mode) => evaluatePermission(tool, input, mode)));
    expect(await row('Read', { file_path: 'a.ts' })).toEqual(['auto', 'auto', 'auto', 'auto']);
    expect(await row('Glob', { pattern: '**' })).toEqual(['auto', 'auto', 'auto', 'auto']);
    expect(await row('Write', { filePath: 'a.ts' })).toEqual(['deny', 'approve', 'auto', 'auto']);
    expect(await row('Edit', { file_path: 'a.ts' })).toEqual(['deny', 'approve', 'auto', 'auto']);
    expect(await row('Bash', { command: 'npm test' })).toEqual(['deny', 'approve', 'approve', 'auto']);
    expect(await row('Unknown', {})).toEqual(['deny', 'approve', 'approve', 'auto']);
  });

  it('reads the patterns of the lists', async () => {
    proves('R-12', 'R-15');
    expect(
      await evaluatePermission('Bash', { command: 'pnpm install' }, 'default', { allow: ['Bash(pnpm *)'] }),
    ).toBe('auto');
    expect(
      await evaluatePermission('Read', { file_path: 'src/x/y.ts' }, 'default', { deny: ['Read(/src/**)'] }),
    ).toBe('deny');
    expect(await evaluatePermission('Write', { file_path: 'a.ts' }, 'default', { allow: ['Write(*)'] })).toBe(
      'auto',
    );
  });

  it('follows links, also broken ones', async () => {
    proves('R-15');
    expect(await evaluatePermission('Read', { file_path: 'link' }, 'default')).toBe('approve');
    expect(await evaluatePermission('Write', { file_path: 'dangling' }, 'acceptEdits')).toBe('deny');
    expect(await evaluatePermission('Bash', { command: 'cat link' }, 'default')).toBe('approve');
    expect(await evaluatePermission('Bash', { command: 'cat a.ts' }, 'default')).toBe('auto');
  });

  it('refuses a catastrophic command in every mode', async () => {
    proves('R-15', 'E-40');
    for (const mode of permissionModes) {
      expect(await evaluatePermission('Bash', { command: 'rm -rf /' }, mode, { allow: ['Bash'] })).toBe(
        'deny',
      );
    }
  });

  it.each(['bash(rm *)', 'Bahs', 'WebFetch(domain:https://x.com)'])(
    'stops at a deny rule that would protect nothing: %s',
    async (rule) => {
      proves('R-15');
      const judged = evaluatePermission('Bash', { command: 'rm x' }, 'default', { deny: [rule] });
      await expect(judged).rejects.toThrow(rule);
      expect(await evaluatePermission('Bahs', {}, 'default', { deny: ['Bahs'] })).toBe('deny');
    },
  );

  it('stops at a rule it cannot read instead of losing it', async () => {
    proves('R-15');
    await expect(evaluatePermission('Read', {}, 'default', { deny: ['Bash(rm *'] })).rejects.toThrow(
      'closing parenthesis',
    );
  });
});
