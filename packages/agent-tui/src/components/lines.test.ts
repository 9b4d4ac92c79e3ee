import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, textWidth } from '../text/styled-text.ts';
import type { ToolkitToken } from '../theme/theme-tokens.ts';
import { PartsTable, renderBar } from './parts-table.ts';
import { renderKeyHints, renderStatusLine } from './render-status-line.ts';
import { createRenderStyle } from './render-style.ts';

const look = createRenderStyle();
const ascii = createRenderStyle({ isAscii: true });

describe('renderStatusLine', () => {
  const fields = [
    { text: 'default', priority: 5 },
    { text: 'Sonnet', priority: 4 },
    { text: 'ctx 45%', priority: 6 },
    { text: '$0.12', priority: 1 },
    { text: '12 msgs', priority: 1 },
  ];

  it('leaves out what matters least, the later of equals first, and keeps the order', () => {
    expect(renderStatusLine(fields, 80, look)).toBe('default · Sonnet · ctx 45% · $0.12 · 12 msgs');
    expect(renderStatusLine(fields, 40, look)).toBe('default · Sonnet · ctx 45% · $0.12');
    expect(renderStatusLine(fields, 28, look)).toBe('default · Sonnet · ctx 45%');
    expect(renderStatusLine(fields, 20, ascii)).toBe('default - ctx 45%');
    expect(renderStatusLine(fields, 5, look)).toBe('ctx …');
  });

  it('fits into any width', () => {
    const field = fc.record({
      text: fc.constantFrom('한국어', 'word', '', '👍 ok', '\x1b[31mred\x1b[39m'),
      priority: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(field), fc.integer({ min: 1, max: 60 }), (some, width) => {
        expect(textWidth(renderStatusLine(some, width, look))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('renderKeyHints', () => {
  it('shows keys and what they do, the first ones where it is narrow', () => {
    const hints = [
      { keys: 'enter', text: 'send' },
      { keys: 'ctrl+o', text: 'history' },
      { keys: 'f1', text: 'keys' },
    ];
    expect(renderKeyHints(hints, 60, look)).toBe('enter send · ctrl+o history · f1 keys');
    expect(renderKeyHints(hints, 30, look)).toBe('enter send · ctrl+o history');
    const withExit = [{ keys: 'enter', text: 'send' }, { keys: 'esc', text: 'close' }, ...hints.slice(1)];
    expect(renderKeyHints(withExit, 60, look)).toBe('enter send · ctrl+o history · f1 keys · esc close');
    expect(renderKeyHints(withExit, 30, look)).toBe('enter send · esc close');
    expect(renderKeyHints(withExit, 12, look)).toBe('enter send');
    const withKept = [...withExit, { keys: 'a', text: 'apply', isKept: true }];
    expect(renderKeyHints(withKept, 40, look)).toBe('enter send · a apply · esc close');
  });
});

describe('renderBar', () => {
  it('draws parts side by side', () => {
    expect(plainText(renderBar([{ share: 0.5, token: 'accent' }], 10, look))).toBe('█████░░░░░');
    expect(plainText(renderBar([{ share: 0.001, token: 'accent' }], 10, ascii))).toBe('..........');
    const paint = (token: ToolkitToken, text: string) => `<${token}${text.length}>`;
    const parts = [
      { share: 0.25, token: 'accent' as const },
      { share: 0.5, token: 'error' as const },
    ];
    expect(renderBar(parts, 8, createRenderStyle({ paint }))).toBe('<accent2><error4><dim2>');
  });

  it('is as wide as it is told, whatever the shares', () => {
    const part = fc.record({ share: fc.double(), token: fc.constantFrom<ToolkitToken>('accent', 'error') });
    fc.assert(
      fc.property(fc.array(part), fc.nat(80), (parts, width) => {
        expect(textWidth(renderBar(parts, width, look))).toBe(width);
      }),
    );
  });
});

describe('PartsTable', () => {
  const parts = [
    { label: 'System prompt', amount: 2000, token: 'accent', note: '80% cached' },
    { label: '메시지', amount: 30_000, token: 'success' },
    { label: 'Tools', amount: 100, token: 'warning' },
  ] as const;

  it('shows a bar and a line for each part', () => {
    const table = new PartsTable({ parts, total: 40_000, format: (amount) => `${amount / 1000}K` });
    expect(table.render(50)).toEqual([
      `${'█'.repeat(40)}${'░'.repeat(10)}`,
      '█ System prompt    2K   5%  80% cached',
      '█ 메시지          30K  75%',
      '█ Tools          0.1K  <1%',
    ]);
  });

  it('fits into narrow terminals', () => {
    for (const width of [20, 25, 33])
      for (const line of new PartsTable({ parts, total: 0 }).render(width))
        expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});
