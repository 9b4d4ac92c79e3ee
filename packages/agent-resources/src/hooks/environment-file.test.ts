import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEnvironmentFile } from './environment-file.ts';

const env = { HOME: '/home/u', PATH: '/bin' };

describe('parseEnvironmentFile', () => {
  it.each([
    ['export A=1', { A: '1' }],
    ['A=1', { A: '1' }],
    ['declare -x A="b c"', { A: 'b c' }],
    [`export A='$HOME'`, { A: '$HOME' }],
    ['export PATH="$PATH:./node_modules/.bin"', { PATH: '/bin:./node_modules/.bin' }],
    ['export A=$HOME/x', { A: '/home/u/x' }],
    ['export A=1; # why', { A: '1' }],
    ['A=1\nB=$A', { A: '1', B: '1' }],
    ['A=', { A: '' }],
    ['A="a"b\'c\'', { A: 'abc' }],
    ['# a comment\n\n', {}],
  ])('reads %j', (text, variables) => {
    expect(parseEnvironmentFile(text, env)).toEqual({ variables, unused: [] });
  });

  it.each([
    'eval "$(x)"',
    'A=$(x)',
    'A=`x`',
    'A=1 cmd',
    'A=1; rm x',
    'A="',
    "A='",
    'source x',
    'A=a|b',
    'A=(1 2)',
  ])('does not use %j', (line) => {
    expect(parseEnvironmentFile(line, env)).toEqual({ variables: {}, unused: [line] });
  });

  it('agrees with bash about every line it uses', () => {
    const part = fc.constantFrom(
      'a',
      ' ',
      '"',
      "'",
      '$HOME',
      `\${PATH}`,
      '\\',
      '$',
      '`',
      ';',
      '#',
      '|',
      '=',
      '/',
      '&',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const line = `export A=${parts.join('')}`;
        const { A } = parseEnvironmentFile(line, env).variables;
        if (A === undefined) return;
        const script = `${line}\nprintf '%s' "$A"`;
        const { stdout, stderr } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
        expect([line, A, stderr]).toEqual([line, stdout, '']);
      }),
      { numRuns: 300 },
    );
  });
});
