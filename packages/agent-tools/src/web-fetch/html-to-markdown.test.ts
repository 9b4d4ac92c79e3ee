import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { htmlToText } from './html-to-text.ts';

const never = new AbortController().signal;
const nested = (depth: number) => `${'<div>'.repeat(depth)}<p>The words</p>${'</div>'.repeat(depth)}`;

describe('htmlToMarkdown', () => {
  it('gives up a page that takes longer than the limit, and keeps the program responsive meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    const limits = { timeoutMs: 400, heapMegabytes: 512 };
    expect(await htmlToMarkdown(nested(20_000), never, limits)).toBeUndefined();
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  it('stops at once when it is interrupted', async () => {
    const interrupted = AbortSignal.timeout(100);
    const limits = { timeoutMs: 600_000, heapMegabytes: 512 };
    await expect(htmlToMarkdown(nested(20_000), interrupted, limits)).rejects.toThrow(/timeout/i);
  });

  it('survives a page that needs more memory than the limit', async () => {
    const limits = { timeoutMs: 60_000, heapMegabytes: 8 };
    expect(await htmlToMarkdown('<p>x</p>'.repeat(300_000), never, limits)).toBeUndefined();
  });
});

describe('htmlToText', () => {
  it('keeps the words and drops what no reader sees', () => {
    const html =
      '<head><title>t</title></head><body><script>if (a<b) x()</script><p>One &amp; two</p><div>three</div>';
    expect(htmlToText(html)).toBe('One & two\n\nthree');
    expect(htmlToText(nested(100_000))).toBe('The words');
  });

  it.each(['<', '<a', '<script>', '</', '&', '<!--', ' \n', '<div', '<head '])(
    'reads a megabyte of %j without slowing down',
    (piece) => {
      expect(htmlToText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_000_001);
    },
  );
});
