import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, type TextFormat, withLineFeeds } from '../files/text-file.ts';
import { applyEdits } from './apply-edits.ts';

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});
const apply = (text: string, ...edits: ReturnType<typeof edit>[]) => applyEdits(text, edits).text;

describe('applyEdits', () => {
  it('changes exactly the bytes of the matched range, in every encoding and with every line ending', () => {
    proves('R-29', 'P-38');
    const format = fc.constantFrom<TextFormat>(
      { encoding: 'utf-8', bom: false },
      { encoding: 'utf-8', bom: true },
      { encoding: 'utf-16le', bom: true },
      { encoding: 'utf-16be', bom: true },
      { encoding: 'windows-1252', bom: false },
    );
    const piece = fc.array(fc.constantFrom('a', 'é', ' ', '\t', '\n', '\r\n', '$&', '“', '\\', '{'), {
      maxLength: 30,
    });
    const text = piece.map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.tuple(format, text, text, text), ([stored, before, after, inserted]) => {
        // The first two characters can't be UTF-8 in Windows-1252, so the format is certain.
        const [head, old, tail] = [`é ${before}`, 'OLD\r\nLINE', `${after}y`];
        const original = encodeText(head + old + tail, stored);
        const file = decodeText(original);
        const { text: edited } = applyEdits(file?.text ?? '', [
          edit('OLD\nLINE', `<${inserted.replaceAll('\r\n', '\n')}>`),
        ]);
        const bytes = encodeText(edited, stored);
        const start = encodeText(head, stored);
        const end = encodeText(tail, { ...stored, bom: false });
        expect(bytes.subarray(0, start.length).equals(start)).toBe(true);
        expect(bytes.subarray(bytes.length - end.length).equals(end)).toBe(true);
        const middle = edited.slice(head.length, edited.length - tail.length);
        expect(middle).toBe(`<${inserted.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')}>`);
      }),
      { numRuns: 500 },
    );
  });

  it('replaces any unique range and nothing around it', () => {
    proves('R-29', 'P-38');
    const parts = fc.array(fc.constantFrom('a', 'b', '😀', ' ', '\n', '\r\n'), {
      minLength: 1,
      maxLength: 25,
    });
    const inserted = fc.array(fc.constantFrom('a', 'z', '$1', '\n'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.tuple(parts, fc.nat(), fc.nat(), inserted), ([list, a, b, added]) => {
        const [from, to] = [a % list.length, b % (list.length + 1)].sort((one, other) => one - other) as [
          number,
          number,
        ];
        const join = (slice: string[]) => slice.join('');
        const [head, old, tail] = [
          join(list.slice(0, from)),
          join(list.slice(from, to)),
          join(list.slice(to)),
        ];
        const [lineFeeds, wanted, next] = [withLineFeeds(head + old + tail), withLineFeeds(old), join(added)];
        const first = lineFeeds.indexOf(wanted);
        fc.pre(wanted !== '' && wanted !== next && lineFeeds.indexOf(wanted, first + 1) === -1);
        const result = apply(head + old + tail, edit(wanted, next));
        expect(result.startsWith(head)).toBe(true);
        expect(result.endsWith(tail)).toBe(true);
        expect(withLineFeeds(result)).toBe(withLineFeeds(head) + next + withLineFeeds(tail));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the ending of every line of a mixed file and gives new lines that of their neighbours', () => {
    proves('R-29');
    expect(apply('a\r\nb\nc\r\nd\n', edit('a\nb\nc', 'a\nB\nc'))).toBe('a\r\nB\nc\r\nd\n');
    expect(apply('a\r\nb\r\nc\nd\n', edit('b\n', 'b\nnew\n'))).toBe('a\r\nb\r\nnew\r\nc\nd\n');
    expect(apply('a\rb\rc', edit('b', 'x\ny'))).toBe('a\rx\ry\rc');
    expect(apply('a\r\nb', edit('b', 'b\nc'))).toBe('a\r\nb\r\nc');
    expect(apply('one line', edit('line', 'line\nmore'))).toBe('one line\nmore');
    expect(apply('p 1%\r2%\nz\n', edit('z', 'q'))).toBe('p 1%\r2%\nq\n');
  });

  it('takes replacement patterns literally', () => {
    proves('R-29');
    expect(apply('a X b', edit('X', "$& $1 $` $' $$"))).toBe("a $& $1 $` $' $$ b");
    expect(apply('X X', edit('X', '$&', true))).toBe('$& $&');
    expect(apply('f(a.b*)', edit('a.b*', 'c'))).toBe('f(c)');
  });

  it('wants exactly one match and says where the others are', () => {
    proves('P-38');
    expect(() => apply('x\ny\nx\n', edit('x', 'z'))).toThrow(/occurs 2 times \(lines 1, 3\).*replace_all/);
    expect(() => apply('aaa', edit('aa', 'b'))).toThrow('occurs 2 times');
    expect(() => apply('one\ntwo\n', edit('1\tone\n2\ttwo\n', 'b'))).toThrow('Leave out the line numbers');
    const numbered = Array.from({ length: 2000 }, (_, index) => `     ${index}\tline`).join('\n');
    expect(() => apply('one\n', edit(`${numbered}\nplain`, 'b'))).toThrow(
      /^old_string was not found\. (?!Leave)/,
    );
    expect(apply('x\ny\nx\n', edit('x', 'z', true))).toBe('z\ny\nz\n');
    expect(() => apply('abc', edit('abc', 'abc'))).toThrow('nothing would change');
    expect(() => apply('abc', edit('', 'x'))).toThrow('empty');
  });

  it('makes all edits in order, or none', () => {
    proves('R-29');
    expect(apply('a b c', edit('a', 'b1'), edit('b1 b', 'x'))).toBe('x c');
    expect(() => apply('a b c', edit('a', 'z'), edit('missing text', 'y'))).toThrow(
      /^edits\[1\]: old_string was not found[\s\S]*None of the edits/,
    );
  });

  it('answers a failed match with the nearest block and the difference', () => {
    proves('R-29');
    const text =
      'function one() {\n  return 1;\n}\n\nfunction two() {\n  const value = compute(2);\n  return value;\n}\n';
    const call = () =>
      apply(text, edit('function two() {\n  const value = compute(3);\n  return value;\n}', 'x'));
    expect(call).toThrow(
      'Nearest lines 5-8 are (- old_string, + file):\n  5\tfunction two() {\n- \t  const value = compute(3);\n+ 6\t  const value = compute(2);\n  7\t  return value;\n  8\t}',
    );
    expect(() => apply(text, edit('const valeu = compute(2)', 'x'))).toThrow(/Nearest line 6 is/);
    expect(() => apply(text, edit('§§§§', 'x'))).toThrow(/Nothing in the file resembles it/);
  });
});

describe('tolerant matching', () => {
  it('matches other quotes, dashes and spaces where only one place fits, and says so', () => {
    proves('R-29');
    const { text, notes } = applyEdits('say(“hi”, 1 – 2)\u00a0;\n“other”\n', [
      edit('say("hi", 1 - 2) ;', 'say("hi", 1 - 3) ;'),
    ]);
    expect(text).toBe('say(“hi”, 1 – 3)\u00a0;\n“other”\n');
    expect(notes).toEqual([
      'Line 1 matched although quotes, dashes or special spaces differ from old_string.',
    ]);
    expect(() => apply('it’s\nit’s\n', edit("it's", 'x'))).toThrow('not found');
  });

  it('ignores trailing blanks and keeps those of untouched lines', () => {
    proves('R-29');
    const { text, notes } = applyEdits('a  \nb\t\nc\n', [edit('a\nb\nc', 'a\nB\nc')]);
    expect(text).toBe('a  \nB\nc\n');
    expect(notes[0]).toContain('Lines 1-3 matched although trailing blanks differ');
    expect(apply('a  \nb\nc\n', edit('a\nb\n', 'a\n'))).toBe('a  \nc\n');
    expect(apply('a  \nb\n', edit('a\nb', 'a\nb\nc\n'))).toBe('a  \nb\nc\n\n');
  });

  it('adapts new lines to the indentation of the file', () => {
    proves('R-29');
    const file = 'class A {\n    run() {\n        go();\n    }\n}\n';
    expect(apply(file, edit('run() {\n    go();\n}', 'run() {\n    go();\n    stop();\n}'))).toBe(
      'class A {\n    run() {\n        go();\n        stop();\n    }\n}\n',
    );
    expect(
      apply(
        'f() {\n\tif (x) {\n\t\ty();\n\t}\n}\n',
        edit('  if (x) {\n    y();\n  }', '  if (x) {\n    z();\n  }\n  w();'),
      ),
    ).toBe('f() {\n\tif (x) {\n\t\tz();\n\t}\n\tw();\n}\n');
    expect(apply('  a:\n    b: 1\n', edit('\ta:\n\t\tb: 1', '\ta:\n\t\tb: 2'))).toBe('  a:\n    b: 2\n');
    expect(apply('a\nb\n', edit('    a\n    b', '    a\n    c'))).toBe('a\nc\n');
  });

  it('refuses where indentation differs without a pattern or more than one place fits', () => {
    proves('R-29');
    expect(() => apply('  a\n   b\n', edit('a\n b\n   c', 'x'))).toThrow('not found');
    expect(() => apply('  a\n      b\n', edit(' a\nb', 'x'))).toThrow('not found');
    expect(() => apply('  a;\n\ta;\n', edit('    a;', 'b;'))).toThrow('not found');
    expect(() => apply('a\n\n', edit('   ', 'b'))).toThrow('not found');
  });
});

describe('the lines of replacements', () => {
  it('are those of the text as it was', () => {
    expect(applyEdits('let a = 1;\nx\nlet a = 2;\n', [edit('let a', 'const a\n ', true)]).lines).toEqual([
      1, 3,
    ]);
  });
});
