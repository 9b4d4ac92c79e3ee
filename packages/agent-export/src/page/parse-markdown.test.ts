import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Block,
  type Inline,
  type InlineStyle,
  inlinesOf,
  parseMarkdown,
  safeAddress,
} from './parse-markdown.ts';

const text = (value: string, ...styles: InlineStyle[]): Inline => ({ kind: 'text', text: value, styles });
const paragraph = (...content: Inline[]): Block => ({ kind: 'paragraph', content });

describe('Markdown', () => {
  it('has headings, paragraphs, rules and quotes', () => {
    expect(parseMarkdown('# One\nline\nline two\n\n---\n> said\n> **so**')).toEqual([
      { kind: 'heading', level: 1, content: [text('One')] },
      paragraph(text('line\nline two')),
      { kind: 'rule' },
      {
        kind: 'quote',
        blocks: [paragraph(text('said\n'), text('so', 'strong'))],
      },
    ]);
  });

  it('has lists in lists, numbers and boxes', () => {
    const [list] = parseMarkdown('3. a\n   - [x] done\n   - [ ] open\n4. b\n\nafter');
    expect(list).toEqual({
      kind: 'list',
      ordered: true,
      start: 3,
      items: [
        {
          blocks: [
            paragraph(text('a')),
            {
              kind: 'list',
              ordered: false,
              start: 1,
              items: [
                { done: true, blocks: [paragraph(text('done'))] },
                { done: false, blocks: [paragraph(text('open'))] },
              ],
            },
          ],
        },
        { blocks: [paragraph(text('b'))] },
      ],
    });
    expect(parseMarkdown('- a\n\n- b\n\nafter')).toHaveLength(2);
    expect(parseMarkdown('- a\n1. b')).toHaveLength(2);
    expect(parseMarkdown('- a\n  ```\n  code\n  ```')).toMatchObject([
      { items: [{ blocks: [{ kind: 'paragraph' }, { kind: 'code', text: 'code' }] }] },
    ]);
  });

  it('has tables', () => {
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| 1 | `x \\| y` |')).toEqual([
      {
        kind: 'table',
        align: ['left', 'center'],
        head: [[text('a')], [text('b')]],
        rows: [[[text('1')], [text('x | y', 'code')]]],
      },
    ]);
  });

  it('knows how the columns of a table are set', () => {
    expect(parseMarkdown('a | b | c | d\n:-- | --: | :-: | ---')).toMatchObject([
      { align: ['left', 'right', 'center', 'left'] },
    ]);
  });

  it('takes HTML for text', () => {
    expect(parseMarkdown('<script>alert(1)</script> <b>x</b>')).toEqual([
      paragraph(text('<script>alert(1)</script> <b>x</b>')),
    ]);
  });

  it('has emphasis, code, strikes and links', () => {
    const written = (source: string) =>
      inlinesOf(source).map((inline) =>
        inline.kind === 'text' ? [inline.text, ...inline.styles] : [inline.kind],
      );
    expect(
      written('**bold *and* more** ~~no~~ `a*b` snake_case_name 2 * 3 * 4').filter(([all]) => all !== ''),
    ).toEqual([
      ['bold ', 'strong'],
      ['and', 'strong', 'emphasis'],
      [' more', 'strong'],
      [' '],
      ['no', 'strike'],
      [' '],
      ['a*b', 'code'],
      [' snake_case_name 2 * 3 * 4'],
    ]);
    expect(written('soft\nhard  \nmarked\\\ntag<br>end')).toEqual([
      ['soft\nhard'],
      ['break'],
      ['marked'],
      ['break'],
      ['tag'],
      ['break'],
      ['end'],
    ]);
    expect(inlinesOf('see https://a.example/x_(y). or [docs](<https://b.example> "t")')).toMatchObject([
      text('see '),
      { kind: 'link' },
      { kind: 'text' },
      { kind: 'link', address: 'https://b.example', content: [text('docs')] },
    ]);
  });

  it('links only to pages and letters', () => {
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,<script>',
      'vbscript:x',
      'file:///etc/passwd',
      '//evil.example',
      '/path',
      '#x',
    ]) {
      expect(safeAddress(address)).toBeUndefined();
      expect(JSON.stringify(inlinesOf(`[x](${address})`))).not.toContain('"link"');
    }
    expect(safeAddress('mailto:a@b.example')).toBe('mailto:a@b.example');
    expect(inlinesOf('![x](https://evil.example/beacon.png)')).toMatchObject([{ kind: 'link' }]);
  });

  it('answers any text, and every link in it is safe', () => {
    const marks = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      '](',
      ')',
      '<',
      '>',
      '#',
      '- ',
      '1. ',
      '|',
      '\n',
      '~~',
      'javascript:',
      'https://',
    );
    const anything = fc.array(fc.oneof(marks, fc.string())).map((all) => all.join(''));
    fc.assert(
      fc.property(anything, (source) => {
        const addresses = [
          ...JSON.stringify(parseMarkdown(source)).matchAll(/"address":("(?:[^"\\]|\\.)*")/g),
        ];
        for (const [, address = '""'] of addresses)
          expect(JSON.parse(address)).toMatch(/^(https?:\/\/|mailto:)/i);
      }),
      { numRuns: 500 },
    );
  });

  it('bears deep nesting and marks without an end', () => {
    expect(parseMarkdown('> '.repeat(5_000))).toHaveLength(1);
    expect(parseMarkdown('- '.repeat(5_000))).toHaveLength(1);
    expect(inlinesOf('*a _b `c [d '.repeat(20_000)).length).toBeGreaterThan(0);
    expect(inlinesOf('['.repeat(100_000))).toEqual([text('['.repeat(100_000))]);
  });
});
