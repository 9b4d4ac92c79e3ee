import { diffFragments, diffTexts } from '@robota-sdk/agent-diff';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseUnifiedDiff } from '../../../agent-diff/src/fixtures/parse-unified-diff.ts';
import { priceFile } from '../../../agent-diff/src/fixtures/price-file.ts';
import { createRenderStyle } from '../components/render-style.ts';
import { plainText, textWidth } from '../text/styled-text.ts';
import { ansiTheme, darkTheme } from '../theme/built-in-themes.ts';
import { Theme } from '../theme/theme.ts';
import { changeText, Diff, type DiffOptions } from './diff.ts';

const before = priceFile.trimEnd();
const after = before.replace('./round', './money').replace('return percent;', 'return percent / 100;');
const edit = diffTexts({ path: 'src/format.js', before, after });

const plain = (options: DiffOptions, width = 100) =>
  new Diff(options).render(width).map((line) => plainText(line).trimEnd());

const fileOf = (count: number) =>
  diffTexts({ path: 'a.ts', after: Array.from({ length: count }, (_, index) => `line ${index}\n`).join('') });

describe('Diff', () => {
  it('shows numbers, signs, three lines around a change, and how many unchanged lines it leaves out', () => {
    proves('P-104');

    expect(plain({ diff: edit })).toEqual([
      "    1 - import { round } from './round.js';",
      "    1 + import { round } from './money.js';",
      '    2',
      '    3   export function price(cents) {',
      "    4     return round(cents) + ' EUR';",
      '    ⋯   23 unchanged lines',
      '   28',
      '   29   /** A rate such as 0.08. */',
      '   30   export function rate(percent) {',
      '   31 -   return percent;',
      '   31 +   return percent / 100;',
      '   32   }',
      '        ⊣ no newline at end of file',
    ]);
  });

  it('stands side by side in wide terminals, with the old numbers at the left', () => {
    proves('P-104');

    const [first = '', ...others] = plain({ diff: edit }, 160);
    expect(first.indexOf('│')).toBe(80);
    expect(first.slice(0, 80).trimEnd()).toBe("    1 - import { round } from './round.js';");
    expect(first.slice(81)).toBe("    1 + import { round } from './money.js';");
    expect(others).toHaveLength(edit.lines.length - 2);
    const grown = diffTexts({ path: 'a.ts', before: 'a\nb\n', after: 'x\ny\nb\n' });
    expect(plain({ diff: grown }, 160).map((row) => row.replaceAll(/ +/g, ' '))).toEqual([
      ' 1 - a │ 1 + x',
      ' │ 2 + y',
      ' 2 b │ 3 b',
    ]);
    expect(plain({ diff: fileOf(2) }, 160)).toEqual(['    1 + line 0', '    2 + line 1']);
    expect(plain({ diff: edit, splitWidth: 0 }, 160)).toEqual(plain({ diff: edit }));
  });

  it('has one line around a change in narrow terminals, and breaks long lines below their code', () => {
    proves('P-104');

    const long = diffTexts({
      path: 'a.ts',
      before: 'a\nb\nc\n',
      after: `a\nb\nc\n${'0123456789'.repeat(3)}\n`,
    });
    expect(plain({ diff: long }, 22)).toEqual(['  3   c', '  4 + 0123456789012345', '      67890123456789']);
    expect(plain({ diff: long }, 60)[3]).toBe(`    4 + ${'0123456789'.repeat(3)}`);
    const wide = diffTexts({ path: 'a.ts', before: '', after: `${'0123456789'.repeat(10)}\n` });
    expect(plain({ diff: wide }, 60)).toEqual([`    1 + ${'0123456789'.repeat(5)}0…`]);
    expect(plain({ diff: wide, isWrapping: true }, 60)).toHaveLength(2);
  });

  it('cuts a long line so that its change is in sight, both versions at the same place', () => {
    proves('P-104');

    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const changed = (old: string, now: string) =>
      plain({ diff: diffTexts({ path: 'a.txt', before: `${old}\n`, after: `${now}\n` }) }, 62);
    const rows = changed(words, words.replace('word40', 'WORD_40'));
    expect(rows).toEqual([
      '    1 - …ord36 word37 word38 word39 word40 word41 word42 word…',
      '    1 + …ord36 word37 word38 word39 WORD_40 word41 word42 wor…',
    ]);
    expect(changed(words, `${words}!`)[1]).toBe('    1 + …word56 word57 word58 word59!');
    expect(changed(words, words.replace('word1', 'W'))[1]).toMatch(/^ {4}1 \+ word0 W word2 .*…$/);
    const wide = '日本語'.repeat(40);
    for (const row of changed(wide, `${wide.slice(0, 60)}x${wide.slice(60)}`)) {
      expect(textWidth(row)).toBeLessThanOrEqual(62);
      expect(row).toMatch(/^ {4}1 [-+] ….*日.*…$/);
    }
    const data = 'x1'.repeat(4_000);
    expect(changed(data, `${data.slice(0, 5_001)}?${data.slice(5_001)}`)[1]).toContain('?');
  });

  it('spells out what is hidden: controls, directions, trailing blanks, tabs and line ends', () => {
    proves('P-104');

    const lines = diffFragments('', 'rm \x1b[2J\u202e x\n\ta\tb\nend \t\nx\u200d\ufe0fy 👩‍👧\r\ncafe\u0301');
    expect(plain({ diff: { lines } })).toEqual([
      '+ rm \\u{1b}[2J\\u{202e} x',
      '+     a   b',
      '+ end··',
      '+ x\u200d\ufe0fy 👩‍👧\\r',
      '+ cafe\u0301',
    ]);
    expect(plain({ diff: { lines }, isRevealing: true })[3]).toBe('+ x\\u{200d}\\u{fe0f}y 👩\\u{200d}👧\\r');
    const ascii = createRenderStyle({ isAscii: true });
    expect(plain({ diff: { lines: diffFragments('a', 'a ') }, look: ascii })).toEqual(['- a', '+ a.']);
    const buried = diffFragments('', `a${'\u0301'.repeat(100)}`);
    expect(plain({ diff: { lines: buried } })[0]?.length).toBeLessThan(120);
  });

  it('keeps to ASCII and marks words by weight where the terminal shows neither colours nor signs', () => {
    proves('P-104');

    const look = createRenderStyle({ isAscii: true });
    const rows = new Diff({ diff: edit, look }).render(100);
    expect(rows.join('')).toMatch(/^[\p{ASCII}]*$/u);
    expect(rows[0]).toBe("    1 - import { round } from './\x1b[1m\x1b[4mround\x1b[24m\x1b[22m.js';");
    expect(rows[5]).toBe('   ..   23 unchanged lines');
    expect(rows.at(-1)).toBe('        \\ no newline at end of file');
    expect(changeText({ added: 3, removed: 2 }, look)).toBe('+3 -2');
    expect(changeText({ added: 0, removed: 2 }, createRenderStyle())).toBe('−2');
  });

  it('colours code on a tinted ground to the full width, and changed words on another', () => {
    proves('P-104', 'C-85');

    const look = createRenderStyle({ paint: (token, text) => `<${token}:${text}>` });
    const lines = diffFragments('return sum', 'return total');
    const painted = new Diff({ diff: { lines, path: 'a.ts' }, look }).render(150);
    expect(painted.map((row) => row.replace(/ +>$/, '>'))).toEqual([
      '<diffRemovedBg:<diffRemoved:- ><syntaxKeyword:return><text: ><diffRemovedWordBg:\x1b[1m<text:sum>\x1b[22m>>',
      '<diffAddedBg:<diffAdded:+ ><syntaxKeyword:return><text: ><diffAddedWordBg:\x1b[1m<text:total>\x1b[22m>>',
    ]);
    const theme = new Theme(darkTheme(), 'true');
    const dark = createRenderStyle({ paint: (token, text) => theme.paint(token, text) });
    for (const row of new Diff({ diff: { lines, path: 'a.ts' }, look: dark }).render(40))
      expect(textWidth(row)).toBe(40);
    const ansi = new Theme(ansiTheme(), '16');
    const basic = createRenderStyle({ paint: (token, text) => ansi.paint(token, text) });
    expect(new Diff({ diff: { lines }, look: basic }).render(40)).toEqual([
      '\x1b[31m- \x1b[39mreturn \x1b[7msum\x1b[27m',
      '\x1b[32m+ \x1b[39mreturn \x1b[7mtotal\x1b[27m',
    ]);
  });

  it('knows a comment that began above the hunk, and forgets it at a gap', () => {
    const text = `/**\n${' * words\n'.repeat(20)} */\nconst a = 1;\n`;
    const diff = diffTexts({ path: 'a.ts', before: text, after: text.replace('const a', 'const b') });
    const tokens: string[] = [];
    const look = createRenderStyle({ paint: recorded(tokens) });
    new Diff({ diff, look }).render(80);
    expect(tokens).toContain('syntaxComment: * words');
    expect(tokens).toContain('syntaxKeyword:const');
  });

  it('folds what is longer than it may be: lines of a file, or whole hunks', () => {
    proves('P-104');

    expect(plain({ diff: fileOf(12), mostRows: 8 }).slice(7)).toEqual([
      '    8 + line 7',
      '    … 4 more lines',
    ]);
    expect(plain({ diff: fileOf(9), mostRows: 8 })).toHaveLength(9);
    expect(plain({ diff: fileOf(9), mostRows: 0 })).toEqual(['    … 9 more lines']);
    expect(plain({ diff: { ...fileOf(3), more: 400 } }).at(-1)).toBe('    … 400 more lines');
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const changed = lines.map((line, index) => (index % 20 === 10 ? `${line}!\nmore` : line));
    const many = diffTexts({ path: 'a.ts', before: lines.join('\n'), after: changed.join('\n') });
    expect(plain({ diff: many, mostRows: 20 }).at(-1)).toBe('    … 8 more hunks, +16 −8');
    const rows = new Diff({ diff: many }).hunkRows(100);
    expect(rows.slice(0, 3)).toEqual([0, 10, 20]);
  });

  it('gives the rows that are asked for, as they are in the whole', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.constantFrom(30, 80, 170), (start, count, width) => {
        const view = new Diff({ diff: edit, isWrapping: true });
        const all = new Diff({ diff: edit, isWrapping: true }).render(width);
        expect(view.height(width)).toBe(all.length);
        expect(view.rows(width, start, start + count)).toEqual(all.slice(start, start + count));
      }),
    );
  });

  it('does the same work for 50 lines as for 10,000, at the top and at the end', () => {
    const workOf = (count: number, isAtEnd: boolean) => {
      const after = Array.from({ length: count }, (_, index) => `const value${index} = ${index};\n`).join('');
      const paint = vi.fn((_token: string, text: string) => text);
      const view = new Diff({ diff: diffTexts({ path: 'a.ts', after }), look: createRenderStyle({ paint }) });
      const start = isAtEnd ? view.height(100) - 40 : 0;
      expect(view.rows(100, start, start + 40)).toHaveLength(40);
      return paint.mock.calls.length;
    };
    expect(workOf(10_000, false)).toBe(workOf(50, false));
    expect(workOf(10_000, true)).toBe(workOf(50, true));
  });

  it('reads no more than two blocks of lines to know the syntax of a row', () => {
    const size = 10_000;
    const texts = Array.from({ length: size }, (_, index) => `const value${index} = ${index};`);
    let reads = 0;
    const lines = texts.map((text, index) => ({ kind: 'added' as const, line: index + 1, text }));
    const view = new Diff({ diff: { path: 'a.ts', lines }, look: createRenderStyle() });
    view.height(100);
    for (const [index, line] of lines.entries())
      Object.defineProperty(line, 'text', {
        get: () => {
          reads++;
          return texts[index];
        },
      });
    view.rows(100, size - 40, size);
    expect(reads).toBeLessThan(1000);
  });

  it('gives the same rows again without work', () => {
    proves('P-104');

    const paint = vi.fn((_token: string, text: string) => text);
    const diff = new Diff({ diff: edit, look: createRenderStyle({ paint }) });
    const first = diff.rows(80, 0, 10);
    const count = paint.mock.calls.length;
    expect(diff.rows(80, 0, 10)).toEqual(first);
    expect(paint.mock.calls.length).toBe(count);
  });

  it('shows nothing for identical texts', () => {
    proves('C-88');

    expect(plain({ diff: diffTexts({ path: 'a.ts', before: 'same\n', after: 'same\n' }) })).toEqual([]);
  });

  it('shows a unified diff', () => {
    proves('P-104');

    const [file] = parseUnifiedDiff(
      '--- a/a.ts\n+++ b/a.ts\n@@ -9,2 +9,2 @@\n const sum = add();\n-return sum;\n+return sum * rate;\n',
    );
    expect(plain({ diff: file! })).toEqual([
      '    9   const sum = add();',
      '   10 - return sum;',
      '   10 + return sum * rate;',
    ]);
  });

  it('fits wide characters into narrow terminals', () => {
    proves('P-104');

    const parts = fc.constantFrom(
      '한국어 텍스트',
      'a b\tc',
      '中文字符',
      '👩‍👩‍👧 x',
      'word',
      '\u202e',
      '\x1b[1m',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(parts, fc.nat(7)), { maxLength: 12 }),
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        (pieces, width, isWrapping) => {
          const text = pieces.map(([part, count]) => part.repeat(1 + count)).join('\n');
          const changed = text.replaceAll('a', 'x').replaceAll('한', '두');
          const diff = diffTexts({ path: 'a.ts', before: text, after: changed });
          const view = new Diff({ diff, isWrapping });
          const rows = view.render(width);
          expect(rows).toHaveLength(view.height(width));
          for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

function recorded(tokens: string[]) {
  return (token: string, text: string) => {
    tokens.push(`${token}:${text}`);
    return text;
  };
}
