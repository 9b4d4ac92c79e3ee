import { describe, expect, it } from 'vitest';
import type { CommandOption } from './command-row.ts';
import { readCommand, readOptions } from './read-options.ts';

const known: readonly CommandOption[] = [
  { name: 'scope', short: 's', value: 'SCOPE', description: '' },
  { name: 'env', value: 'KEY=value', description: '' },
  { name: 'json', description: '' },
];

const shown = ({ words, value, values, has }: ReturnType<typeof readOptions>) => ({
  words,
  scope: value('scope'),
  env: values('env'),
  json: has('json'),
});
const nothing = { words: [], scope: undefined, env: [], json: false };

describe('the options of a command', () => {
  it('stand anywhere among its words, with their values behind them or behind =', () => {
    const read = readOptions(['a', '--scope', 'user', 'b', '--json', '-s=local', '-', '-5'], known);
    expect(shown(read)).toEqual({ ...nothing, words: ['a', 'b', '-', '-5'], scope: 'local', json: true });
  });

  it('end at --, and behind the words of a command', () => {
    expect(shown(readOptions(['a', '--', '--json', '--'], known))).toEqual({
      ...nothing,
      words: ['a', '--json', '--'],
    });
    const endsAfter = (words: readonly string[]) => words.length >= 2;
    const read = readOptions(['--json', 'a', 'b', '--', '--scope'], known, { endsAfter });
    expect(shown(read)).toEqual({ ...nothing, words: ['a', 'b', '--scope'], json: true });
  });

  it('may take several values, and leave single dashes alone', () => {
    const takesMore = ({ name }: CommandOption, word: string) => name === 'env' && word.includes('=');
    const read = readOptions(['--env', 'A=1', 'B=2', 'x', 'C=3'], known, { takesMore });
    expect(shown(read)).toEqual({ ...nothing, words: ['x', 'C=3'], env: ['A=1', 'B=2'] });
    expect(readOptions(['set', '-x'], known, { isLongOnly: true }).words).toEqual(['set', '-x']);
  });

  it.each([
    [['--scop', 'x'], 'Unknown option --scop. Did you mean --scope?'],
    [['-q'], 'Unknown option -q. See --help.'],
    [['--json=yes'], '--json takes no value.'],
    [['--scope'], '--scope needs a value.'],
  ])('that are wrong are refused: %s', (given, message) => {
    expect(() => readOptions(given, known)).toThrow(message);
  });

  it('that are unknown bring the advice of the command', () => {
    expect(() => readOptions(['--scop'], known, { advice: 'Put others after --.' })).toThrow(
      'Unknown option --scop. Did you mean --scope? Put others after --.',
    );
  });
});

describe('a command line of the user', () => {
  it.each([
    [
      ['--json', 'npm', 'test', '--json'],
      ['npm', 'test', '--json'],
    ],
    [['npm test', '--json'], ['npm test']],
    [['npm', '--json'], ['npm']],
    [
      ['npm', '--version'],
      ['npm', '--version'],
    ],
    [
      ['npm', '--', 'x'],
      ['npm', '--', 'x'],
    ],
    [
      ['--', 'npm', '--json'],
      ['npm', '--json'],
    ],
    [
      ['npm', '--json', 'x'],
      ['npm', '--json', 'x'],
    ],
  ])('keeps the options behind its words: %s', (given, words) => {
    expect(readCommand(given, known).words).toEqual(words);
  });
});
