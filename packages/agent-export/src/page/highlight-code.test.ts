import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightCode } from './highlight-code.ts';

/** The parts of a kind, as they stand in the code. */
const parts = (language: string, text: string, kind: string) =>
  highlightCode(language, text)
    .filter((part) => part.kind === kind)
    .map((part) => part.text);

describe('highlightCode', () => {
  it('tells keywords, texts, numbers and comments', () => {
    const code = 'const a = "it\\"s"; // it\nreturn `x\ny` + 0x1f; /* all\nof it */';
    expect(parts('ts', code, 'keyword')).toEqual(['const', 'return']);
    expect(parts('ts', code, 'string')).toEqual(['"it\\"s"', '`x', 'y`']);
    expect(parts('ts', code, 'number')).toEqual(['0x1f']);
    expect(parts('ts', code, 'comment')).toEqual(['// it', '/* all', 'of it */']);
  });

  it('knows the comments of other languages', () => {
    expect(parts('python', "def f(): # it's\n  return 'a'", 'comment')).toEqual(["# it's"]);
    expect(parts('sh', 'echo $# done # so', 'comment')).toEqual(['# so']);
    expect(parts('sql', 'SELECT 1 -- one', 'comment')).toEqual(['-- one']);
    expect(parts('ts', 'https://example.com', 'comment')).toEqual([]);
    expect(parts('diff', '+a\n-b\n c', 'added')).toEqual(['+a']);
  });

  it('leaves unknown languages and long code alone', () => {
    expect(highlightCode('', 'const a')).toEqual([{ kind: 'plain', text: 'const a' }]);
    expect(highlightCode('klingon', 'const a')).toEqual([{ kind: 'plain', text: 'const a' }]);
    expect(highlightCode('ts', 'const '.repeat(20_000))).toHaveLength(1);
  });

  it('keeps every character in its place', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '//',
      '/*',
      '*/',
      '#',
      '--',
      '\n',
      'if',
      '1',
      ' ',
      '+',
    );
    fc.assert(
      fc.property(
        fc.constantFrom('ts', 'py', 'sql', 'html', 'diff', 'x'),
        fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }),
        (language, pieces) => {
          const code = pieces.join('');
          const all = highlightCode(language, code);
          expect(all.map(({ text }) => text).join('')).toBe(code);
        },
      ),
    );
  });
});
