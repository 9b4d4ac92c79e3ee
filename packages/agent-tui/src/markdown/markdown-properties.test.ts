import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { textWidth } from '../text/styled-text.ts';
import { Markdown } from './markdown.ts';

/** Pieces that Markdown texts are made of, whole and broken. */
const pieces = fc.constantFrom(
  ...[
    '# ',
    '## h\n',
    '- ',
    '* ',
    '1. ',
    '  - ',
    '    ',
    '> ',
    '```',
    '```ts\n',
    '~~~\n',
    '|',
    '| a | b |\n',
    '|---|---|\n',
  ],
  ...[
    '---\n',
    '===\n',
    '\n',
    '\n\n',
    ' ',
    '**',
    '*',
    '_',
    '~~',
    '`',
    '[',
    '](',
    ')',
    '<br>',
    '&amp;',
    '\\',
    '![',
  ],
  ...[
    'word',
    'two words',
    '한국어',
    '中文字',
    '👩‍👩‍👧',
    'https://a.example/x',
    '/* ',
    '"',
    '\t',
    '\r\n',
    '\x1b[31m',
    '[x] ',
  ],
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

describe('Markdown of any text', () => {
  it('never changes lines that it handed out', () => {
    proves('P-107');
    fc.assert(
      fc.property(texts, fc.array(fc.nat(30)), fc.integer({ min: 20, max: 60 }), (text, sizes, width) => {
        const markdown = new Markdown();
        const taken: string[] = [];
        let start = 0;
        for (const size of sizes) {
          markdown.append(text.slice(start, start + size));
          start += size;
          taken.push(...markdown.takeStable(width));
          const whole = finished(text).render(width);
          expect(taken).toEqual(whole.slice(0, taken.length));
        }
        markdown.append(text.slice(start));
        markdown.finish();
        expect([...taken, ...markdown.render(width)]).toEqual(finished(text).render(width));
      }),
      { numRuns: 1000 },
    );
  });

  it('shows the same however the text was cut', () => {
    proves('P-107');
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const markdown = new Markdown();
        for (let start = 0; start < text.length; start += size) {
          markdown.append(text.slice(start, start + size));
          markdown.render(30);
        }
        markdown.finish();
        expect(markdown.render(30)).toEqual(finished(text).render(30));
      }),
      { numRuns: 500 },
    );
  });

  it('fits every line into the width, from 20 columns up', () => {
    proves('P-107');
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 50 }), fc.boolean(), (text, width, isAscii) => {
        const markdown = new Markdown({ look: createRenderStyle({ isAscii }) });
        markdown.append(text);
        for (const line of markdown.render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
        markdown.finish();
        for (const line of markdown.render(width)) {
          expect(textWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toContain('\n');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('hands out the beginning of endless lines and paragraphs, and shows the same however they come', () => {
    proves('P-107');
    const texts = [
      'word 한국어 '.repeat(4000),
      '👍'.repeat(9000),
      'line of text\n'.repeat(4000),
      ' '.repeat(50_000),
    ];
    for (const text of texts) {
      const markdown = new Markdown();
      const taken: string[] = [];
      for (let start = 0; start < text.length; start += 997) {
        markdown.append(text.slice(start, start + 997));
        taken.push(...markdown.takeStable(40));
        if (start > 40_000 && text.trim() !== '') expect(taken.length).toBeGreaterThan(0);
      }
      markdown.finish();
      expect([...taken, ...markdown.render(40)]).toEqual(finished(text).render(40));
    }
  });

  it('reads hostile texts to their end', () => {
    proves('P-107');
    const count = 20_000;
    const hostile = [
      '*a ',
      '[a](',
      '[',
      '`x``',
      '> ',
      '- ',
      '_a*b',
      '|',
      '<',
      '![',
      '~~x',
      '&#',
      '\\',
      '**a_',
      'http://',
      '](<',
    ];
    for (const part of hostile) {
      expect(finished(part.repeat(count)).render(80).length).toBeGreaterThan(0);
      expect(finished(`a|b\n-|-\n${part.repeat(2000)}`).render(80).length).toBeGreaterThan(0);
    }
    expect(
      finished(Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')).render(40),
    ).toBeDefined();
  });
});

function finished(text: string): Markdown {
  const markdown = new Markdown();
  markdown.append(text);
  markdown.finish();
  return markdown;
}
