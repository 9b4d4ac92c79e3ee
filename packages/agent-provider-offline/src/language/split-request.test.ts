import { describe, expect, it } from 'vitest';
import { splitRequest, withoutCourtesy } from './split-request.ts';

describe('withoutCourtesy', () => {
  it.each([
    ['Please list the files', 'list the files'],
    ['Hey, can you please show a.ts?', 'show a.ts?'],
    ["I'd like you to run the tests", 'run the tests'],
    ['1. run the tests', 'run the tests'],
    ['- run the tests', 'run the tests'],
    ['hello', 'hello'],
  ])('%s', (text, rest) => {
    expect(withoutCourtesy(text)).toBe(rest);
  });
});

describe('splitRequest', () => {
  it('splits at "then", semicolons, sentences and lines', () => {
    const parts = ['run the tests', 'show the diff', 'list src'];
    expect(splitRequest('First run the tests, then show the diff; and finally list src')[0]).toEqual(parts);
    expect(splitRequest('run the tests. Then show the diff. list src.')[0]).toEqual(parts);
    expect(splitRequest('1. run the tests\n2. show the diff\n3. list src')[0]).toEqual(parts);
  });

  it('splits at "and" and commas only in its bolder reading', () => {
    expect(splitRequest('read a.ts and b.ts')[0]).toEqual(['read a.ts and b.ts']);
    expect(splitRequest('read a.ts and list src, run x')[1]).toEqual(['read a.ts', 'list src', 'run x']);
  });

  it('leaves quoted text alone', () => {
    expect(splitRequest('find "first; then" in src')).toEqual([
      ['find "first; then" in src'],
      ['find "first; then" in src'],
    ]);
  });
});
