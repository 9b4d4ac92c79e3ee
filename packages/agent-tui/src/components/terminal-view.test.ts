import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { parseUnifiedDiff } from '../../../agent-diff/src/fixtures/parse-unified-diff.ts';
import { Diff } from '../diff/diff.ts';
import { Markdown } from '../markdown/markdown.ts';
import type { Component } from '../text/component.ts';
import { darkTheme } from '../theme/built-in-themes.ts';
import { Theme } from '../theme/theme.ts';
import { createRenderStyle } from './render-style.ts';
import { SelectList } from './select-list.ts';

const theme = new Theme(darkTheme(), 'true');
const look = createRenderStyle({ paint: (token, text) => theme.paint(token, text), hasLinks: true });
const answer = [
  '## 요약 Summary',
  '',
  'The **total** left out the *tax*: see `cart.ts` and [the docs](https://a.example/docs). 세금이 빠져 있었습니다 👍',
  '',
  '1. Read the file',
  '   - 한국어와 中文 in a nested list that is long enough to wrap',
  '2. Change it',
  '',
  '| file | 변경 |',
  '|:--|--:|',
  '| cart.ts | 12 |',
  '| 장바구니.ts | 3 |',
  '',
  '```ts',
  'return sum * (1 + rate); // 세금',
  '```',
].join('\n');

describe('what a user sees', () => {
  it('of an answer at 40 columns', async () => {
    proves('P-107', 'C-100');
    const view = await show(markdownOf(answer), 40);
    expect(view.text).toEqual([
      '요약 Summary',
      '',
      'The total left out the tax: see cart.ts',
      'and the docs. 세금이 빠져 있었습니다 👍',
      '',
      '1. Read the file',
      '   ◦ 한국어와 中文 in a nested list that',
      '     is long enough to wrap',
      '2. Change it',
      '',
      'file        │ 변경',
      '────────────┼─────',
      'cart.ts     │   12',
      '장바구니.ts │    3',
      '',
      '  ─── ts',
      '  return sum * (1 + rate); // 세금',
    ]);
    expect(view.cell('total').isBold()).toBeTruthy();
    expect(view.cell('tax').isItalic()).toBeTruthy();
    expect(view.cell('the docs').isUnderline()).toBeTruthy();
    expect(view.cell('return').getFgColor()).not.toBe(view.cell('// 세금').getFgColor());
    expect(view.cell('cart.ts').isFgRGB()).toBe(true);
  });

  it('of an answer at 20 columns, and while it is being written', async () => {
    proves('P-107');
    for (let end = 1; end <= answer.length; end += 7) {
      const markdown = new Markdown({ look });
      markdown.append(answer.slice(0, end));
      const lines = markdown.render(20);
      const view = await show({ render: () => lines }, 20);
      // Lines that were too long would have been broken by the terminal.
      expect(view.text.length).toBeLessThanOrEqual(lines.length);
    }
  });

  it('of a diff: colours of lines on a ground, and what changed on another', async () => {
    proves('P-104');
    const [file] = parseUnifiedDiff(
      '--- a/카트.ts\n+++ b/카트.ts\n@@ -1,2 +1,2 @@\n a\n-return 합계;\n+return 합계 * rate;\n',
    );
    const view = await show(new Diff({ diff: file!, look }), 60);
    expect(view.text).toEqual(['    1   a', '    2 - return 합계;', '    2 + return 합계 * rate;']);
    expect(view.cell('* rate').getBgColor()).toBe(0x1d5431);
    expect(view.cell('* rate').isBold()).toBeTruthy();
    expect(view.cell('return 합계 *').getBgColor()).toBe(0x12301d);
    expect(view.at(2, 59).getBgColor()).toBe(0x12301d);
    expect(view.at(0, 20).isBgDefault()).toBe(true);
    expect(view.cell('- return').getFgColor()).not.toBe(view.cell('+ return').getFgColor());
  });

  it('of a list: the selected line is coloured over its whole width', async () => {
    proves('P-96');
    const items = [
      { value: 1, label: '모델', description: '설명' },
      { value: 2, label: 'model', description: 'text' },
    ];
    const view = await show(new SelectList({ items, look }), 30);
    expect(view.text).toEqual(['❯ 모델   설명', '  model  text']);
    expect(view.at(0, 29).isBgRGB()).toBe(true);
    expect(view.at(1, 0).isBgDefault()).toBe(true);
  });
});

function markdownOf(text: string): Markdown {
  const markdown = new Markdown({ look });
  markdown.append(text);
  markdown.finish();
  return markdown;
}

/** Draws a component on a terminal and tells what stands there. */
async function show(component: Component, columns: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(component.render(columns).join('\r\n'), resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)!);
  const text = rows.map((row) => row.translateToString(true).trimEnd());
  while (text.at(-1) === '') text.pop();
  const at = (row: number, column: number) => rows[row]!.getCell(column)!;
  const cell = (part: string) => {
    const row = text.findIndex((line) => line.includes(part));
    if (row < 0) throw new Error(`The terminal does not show ${part}.`);
    for (let column = 0; column < columns; column++) {
      if (rows[row]!.translateToString(true, column).startsWith(part)) return at(row, column);
    }
    throw new Error(`No cell begins with ${part}.`);
  };
  return { text, at, cell };
}
