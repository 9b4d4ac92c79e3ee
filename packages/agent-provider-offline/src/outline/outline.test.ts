import { describe, expect, it } from 'vitest';
import { outline } from './outline.ts';

describe('outline', () => {
  it('gives imports and declarations of TypeScript with lines and sizes', () => {
    const source = [
      "import { a } from './a.ts';",
      "import type { B } from 'b';",
      '',
      'export interface Options {',
      '  readonly x: number;',
      '}',
      '',
      'export async function run() {',
      '  const local = 1;',
      '  return local;',
      '}',
      'const hidden = 2;',
    ];
    expect(outline('x.ts', source)).toEqual([
      'Imports from: ./a.ts, b',
      'Declares:',
      '- exported interface `Options` (line 4, about 4 lines)',
      '- exported function `run` (line 8, about 4 lines)',
      '- const `hidden` (line 12, about 1 line)',
    ]);
  });

  it('gives classes and methods of Python', () => {
    const source = [
      'import os',
      'from sys import path',
      '',
      'class A:',
      '    def go(self):',
      '        pass',
      'def f(): pass',
    ];
    expect(outline('x.py', source)).toEqual([
      'Imports from: os, sys',
      'Declares:',
      '- class `A` (line 4, about 3 lines)',
      '  - def `go` (line 5, about 2 lines)',
      '- def `f` (line 7, about 1 line)',
    ]);
  });

  it('gives the headings of Markdown, not those inside code', () => {
    expect(outline('README.md', ['# One', '```', '# no', '```', '## Two ##'])).toEqual([
      'Headings:',
      '- One (line 1)',
      '  - Two (line 5)',
    ]);
  });

  it('gives the keys of JSON, and says when it is none', () => {
    expect(outline('a.json', ['{"name": "x", "list": [1, 2], "o": {"k": 1}, "e": {}}'])).toEqual([
      'Keys:',
      '- `name`: "x"',
      '- `list`: a list of 2',
      '- `o`: an object with k',
      '- `e`: an empty object',
    ]);
    expect(outline('a.json', ['{'])[0]).toMatch(/not plain JSON/);
  });

  it('says that it recognises nothing', () => {
    expect(outline('a.txt', ['hello'])).toEqual(['No declarations that I recognise.']);
  });
});
