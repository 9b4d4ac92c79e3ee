import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { plainText } from '../text/styled-text.ts';
import { codeBlocksOf } from './code-blocks.ts';
import { Markdown, type MarkdownOptions } from './markdown.ts';

const sample = [
  '# 제목 Title',
  '',
  'A paragraph with **bold**, *slanted*, `code`, ~~gone~~ and [a link](https://a.example/x).',
  'Its second line.',
  '',
  '- one',
  '  - nested 한국어',
  '    1. deep',
  '- [x] done',
  '- [ ] open',
  '',
  '3. three',
  '3. four',
  '',
  '> quoted **text**',
  '> goes on',
  '',
  '```ts',
  'const a: number = 1; // note',
  '```',
  '',
  '| name | 값 |',
  '|------|---:|',
  '| a | 1 |',
  '| 中文 | 22 |',
  '',
  '---',
  '',
  '<div>html</div>',
].join('\n');

const coloured = createRenderStyle({ paint: (_token, text) => `\x1b[36m${text}\x1b[39m` });

describe('Markdown', () => {
  it('shows every kind of block', () => {
    proves('P-107', 'C-100');
    expect(shown(sample, 60)).toEqual([
      '제목 Title',
      '',
      'A paragraph with bold, slanted, `code`, gone and a link',
      '(https://a.example/x).',
      'Its second line.',
      '',
      '• one',
      '  ◦ nested 한국어',
      '    1. deep',
      '☑ done',
      '☐ open',
      '',
      '3. three',
      '4. four',
      '',
      '│ quoted text',
      '│ goes on',
      '',
      '  ─── ts',
      '  const a: number = 1; // note',
      '',
      'name │ 값',
      '─────┼───',
      'a    │  1',
      '中文 │ 22',
      '',
      '─'.repeat(60),
      '',
      '<div>html</div>',
    ]);
  });

  it('has a twin in ASCII for every sign', () => {
    proves('P-107');
    const markdown = finished(sample.replace(/[^\p{ASCII}]/gu, 'x'), {
      look: createRenderStyle({ isAscii: true }),
    });
    expect(markdown.render(40).map(plainText).join('')).toMatch(/^\p{ASCII}*$/u);
  });

  it('colours code by the tokens of the theme', () => {
    proves('C-100');
    const look = createRenderStyle({ paint: (token, text) => `<${token}:${text}>` });
    const [, line] = finished('```ts\nconst greet = (name: string) => call("hi", 1); // x\n```', {
      look,
    }).render(300);
    expect(line).toBe(
      '  <syntaxKeyword:const> greet <syntaxOperator:=> <syntaxPunctuation:(>name<syntaxOperator::> ' +
        '<syntaxType:string><syntaxPunctuation:)> <syntaxOperator:=>> <syntaxFunction:call><syntaxPunctuation:(>' +
        '<syntaxString:"hi"><syntaxPunctuation:,> <syntaxNumber:1><syntaxPunctuation:);> <syntaxComment:// x>',
    );
  });

  it('keeps comments and strings coloured over lines', () => {
    proves('C-100');
    const look = createRenderStyle({
      paint: (token, text) => (token === 'syntaxComment' ? `<${text}>` : text),
    });
    const lines = finished('```c\nint a; /* one\ntwo\nthree */ int b;\n```', { look }).render(80);
    expect(lines.slice(1)).toEqual(['  int a; </* one>', '  <two>', '  <three */> int b;']);
  });

  it('writes links as the terminal can follow them, and says where misleading ones lead', () => {
    proves('P-107');
    const look = createRenderStyle({ hasLinks: true });
    const text = '[docs](https://a.example) [https://good.example](https://evil.example) [here](src/a.ts)';
    const [line = ''] = finished(text, { look }).render(200);
    expect(line).toContain('\x1b]8;;https://a.example\x1b\\');
    expect(plainText(line)).toBe('docs https://good.example (https://evil.example) here (src/a.ts)');
  });

  it('lets no escape sequence through, also not one that is spelled as an entity or split', () => {
    proves('P-107');
    const markdown = new Markdown();
    for (const part of [
      'a\x1b',
      ']0;evil\x07b &#27;[31m &#x1b;]52;c;x ',
      '[x](https://a.example/\x1b[2J) `\x9b2J`',
    ])
      markdown.append(part);
    markdown.finish();
    const text = markdown.render(200).map(plainText).join('\n');
    expect(text).toMatch(/^[^\p{Cc}]*$/u);
  });

  it('shows tables that are too wide with wrapped cells, and as blocks where columns have no room', () => {
    proves('P-107');
    const table =
      '| name | what it does |\n|---|---|\n| alpha | a long text that must wrap |\n| beta | 한국어 설명입니다 |';
    expect(shown(table, 30)).toEqual([
      'name  │ what it does',
      '──────┼───────────────────────',
      'alpha │ a long text that must',
      '      │ wrap',
      'beta  │ 한국어 설명입니다',
    ]);
    const wide = `|${' column |'.repeat(6)}\n|${'---|'.repeat(6)}\n|${' value |'.repeat(6)}\n|${' other |'.repeat(6)}`;
    expect(shown(wide, 20)).toEqual([
      ...Array.from({ length: 6 }, () => 'column: value'),
      '─'.repeat(20),
      ...Array.from({ length: 6 }, () => 'column: other'),
    ]);
  });

  it('emphasises words that particles follow directly', () => {
    proves('P-107');
    const look = createRenderStyle();
    const [line] = finished('**값(value)**은 *중요*하다', { look }).render(80);
    expect(line).toBe('\x1b[1m값(value)\x1b[22m은 \x1b[3m중요\x1b[23m하다');
  });

  it('shows a row of a table as it is once it is whole, also if its marks are not closed', () => {
    proves('P-107');
    const text = '| a | b |\n|---|---|\n| **x | `y |\n| 1 | 2 |\n| 3 | 4 |';
    const markdown = new Markdown();
    for (const character of text) {
      markdown.append(character);
      markdown.render(40);
    }
    markdown.finish();
    expect(markdown.render(40)).toEqual(finished(text).render(40));
  });

  it('lets images inside of links lead where the link does, and begins bullets again in quotes', () => {
    proves('P-107');
    expect(shown('[![badge](b.svg) text](https://x.example)', 60)).toEqual([
      'badge text (https://x.example)',
    ]);
    expect(shown('> - a\n>   - b', 60)).toEqual(['│ • a', '│   ◦ b']);
  });

  it('keeps the backticks of code only where no colour tells it from prose', () => {
    const inColour = new Markdown({ look: coloured });
    inColour.append('run `npm test` now');
    expect(inColour.render(60).map(plainText)).toEqual(['run npm test now']);
    expect(shown('run `npm test` now', 60)).toEqual(['run `npm test` now']);
  });

  it('keeps signs that are no marks', () => {
    proves('P-107');
    expect(shown('snake_case_name 2 * 3 * 4 a*b \\*x\\* [1] `` a`b `` &amp; <b> #tag', 100)).toEqual([
      'snake_case_name 2 * 3 * 4 a*b *x* [1] `a`b` & <b> #tag',
    ]);
  });

  it('reads what models write: lists with two blanks, code in items, tables after text', () => {
    proves('P-107');
    expect(
      shown(
        '1. first\n  - inner\n2. second\n   ```sh\n   ls -la\n   ```\ntext\n| a | b |\n|---|---|\n| 1 | 2 |',
        40,
      ),
    ).toEqual([
      '1. first',
      '   ◦ inner',
      '2. second',
      '     ─── sh',
      '     ls -la',
      'text',
      '',
      'a │ b',
      '──┼──',
      '1 │ 2',
    ]);
  });

  it('begins whole code at column 0 with its tabs, also in lists, quotes and indented texts', () => {
    const fence = '```';
    const texts = [
      [`${fence}make\nall:\n\tcc\n${fence}`, ['─── make', 'all:', '\tcc']],
      [
        `- run:\n\n  ${fence}sh\n  \tls\n    two\n  ${fence}\n- next`,
        ['• run:', '', '─── sh', '\tls', '  two', '• next'],
      ],
      [`- ${fence}\n  x\n  ${fence}`, ['•', 'x']],
      [`> ${fence}\n> \tx\n> ${fence}`, ['│', '\tx']],
      ['a\n\n\tone\n\t\ttwo\n', ['a', '', 'one', '\ttwo']],
      [`${fence}\n\t${fence}\n${fence}`, [`\t${fence}`]],
    ] as const;
    for (const [text, lines] of texts)
      expect(finished(text, { code: 'whole' }).render(40).map(plainText)).toEqual(lines);
    const indented = finished(`a b\n\n${fence}\ncode\n${fence}`, { code: 'whole', indent: '   ' });
    expect(indented.render(5).map(plainText)).toEqual(['   a', '   b', '', 'code']);
  });

  it('finds the blocks of code of a text, also in lists and quotes, without what a terminal would obey', () => {
    const fence = '```';
    const text = `${fence}ts\na\u001b[2J\n\tb\n${fence}\n\n- x\n\n  ${fence}\n  c\n  ${fence}\n\n> ${fence}sh\n> d`;
    expect(codeBlocksOf(text)).toEqual([
      { language: 'ts', text: 'a\n\tb' },
      { language: '', text: 'c' },
      { language: 'sh', text: 'd' },
    ]);
    expect(codeBlocksOf('no `code` here')).toEqual([]);
  });

  it('shows marks neither coming nor going while text arrives', () => {
    proves('P-107');
    const texts = [
      '**bold text** and `some code` done',
      'Intro\n- item',
      'Para\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ];
    for (const text of texts) {
      for (let end = 1; end <= text.length; end++) {
        const markdown = new Markdown({ look: coloured });
        markdown.append(text.slice(0, end));
        expect(markdown.render(60).map(plainText).join('\n')).not.toMatch(/[*`]|^-|\| a|---/m);
      }
    }
  });

  it('hands out finished blocks and whole lines of open code once', () => {
    proves('P-107');
    const markdown = new Markdown();
    markdown.append('text\n\n```ts\nconst a = 1;\nconst b');
    expect(markdown.takeStable(40).map(plainText)).toEqual(['text', '', '  ─── ts', '  const a = 1;']);
    expect(markdown.takeStable(40)).toEqual([]);
    expect(markdown.render(40).map(plainText)).toEqual(['  const b']);
    markdown.append(' = 2;\n```\nend');
    expect(markdown.takeStable(40).map(plainText)).toEqual(['  const b = 2;']);
    expect(markdown.render(40).map(plainText)).toEqual(['', 'end']);
    markdown.finish();
    expect(markdown.takeStable(40).map(plainText)).toEqual(['', 'end']);
    expect(markdown.render(40)).toEqual([]);
  });

  it('loses and doubles nothing when the width changes while lines are taken', () => {
    proves('P-107');
    const text = Array.from(
      { length: 30 },
      (_, index) => `word${index} 한국어 and more\n\n\`\`\`\ncode${index} line\n\`\`\`\n`,
    ).join('');
    const markdown = new Markdown();
    const taken: string[] = [];
    for (let start = 0; start < text.length; start += 17) {
      markdown.append(text.slice(start, start + 17));
      taken.push(...markdown.takeStable(20 + (start % 50)));
    }
    markdown.finish();
    taken.push(...markdown.takeStable(33));
    const letters = (lines: string) => lines.replace(/[\s`]/g, '');
    expect(letters(taken.map(plainText).join(''))).toBe(letters(text));
  });

  it('reads a text that is set as a whole from where it continues, or again', () => {
    proves('P-107');
    const markdown = new Markdown();
    markdown.setText('one');
    markdown.setText('one two');
    expect(markdown.render(40)).toEqual(['one two']);
    markdown.setText('other');
    expect(markdown.render(40)).toEqual(['other']);
  });

  it('renders what did not change once', () => {
    proves('P-107');
    let painted = 0;
    const look = createRenderStyle({
      paint: (_token, text) => {
        painted++;
        return text;
      },
    });
    const markdown = new Markdown({ look });
    markdown.append('# one\n\n# two\n\n# three\n\ntail');
    const lines = markdown.render(40);
    expect(markdown.render(40)).toBe(lines);
    const before = painted;
    markdown.append(' more');
    markdown.render(40);
    expect(painted).toBe(before);
  });
});

function finished(text: string, options: MarkdownOptions = {}): Markdown {
  const markdown = new Markdown(options);
  markdown.append(text);
  markdown.finish();
  return markdown;
}

function shown(text: string, width: number): string[] {
  return finished(text).render(width).map(plainText);
}
