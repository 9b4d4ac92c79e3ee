import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReadingSedScript } from './read-only-sed.ts';

describe('isReadingSedScript', () => {
  it('a script it lets pass writes no file and runs nothing', () => {
    proves('E-39', 'R-11');
    const directory = mkdtempSync(path.join(tmpdir(), 'robota-sed-'));
    writeFileSync(path.join(directory, 'a'), 'a/b\nx\n');
    const part = fc.constantFrom(
      ...['1', '$', ',', '~2', '!', '{', '}', ';', '\n', ' ', 'p', 's', 'y', 'q', '/', '@', '\\', '[', ']'],
      ...['^', 'a', 'b', 'g', 'I', 'w OUT', 'e touch OUT', 'W OUT', '/a/', 's/a/b/', 's@a@b@', '[/]', '[\\]'],
    );
    const script = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const passing = new Set<string>();
    fc.assert(
      fc.property(script, (text) => {
        if (/OUT/.test(text) && isReadingSedScript(text)) passing.add(text);
      }),
      { numRuns: 20_000 },
    );
    for (const text of [...passing].slice(0, 60)) {
      spawnSync('sed', ['-n', text, 'a'], { cwd: directory, input: '' });
      expect(readdirSync(directory), text).toEqual(['a']);
    }
    rmSync(directory, { recursive: true, force: true });
  });

  it('a script that is too long to be judged is not let pass', () => {
    proves('E-39');
    expect(isReadingSedScript(`1${' '.repeat(60_000)}p`)).toBe(false);
    expect(isReadingSedScript(`1${' '.repeat(100)}p`)).toBe(true);
  });
});
