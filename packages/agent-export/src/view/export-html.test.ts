import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeJson, escapeMarkup, exportHtml } from './export-html.ts';
import type { SessionView } from './session-view.ts';

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</script>',
    '<!--',
    ']]>',
    '<script>',
    '\u2028',
    '"',
    "'",
    '&lt;',
    '\ud800',
    '\\u003c/script>',
  ),
);

function viewWith(text: string): SessionView {
  return {
    id: text,
    title: text,
    cwd: text,
    created: 0,
    modified: 0,
    exported: 0,
    models: [text],
    totals: { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, cost: 0, modelCalls: 0 },
    leafId: text,
    redacted: true,
    problems: [text],
    entries: [{ id: text, parentId: null, time: 0, kind: 'prompt', blocks: [{ type: 'text', text }] }],
  };
}

async function pageOf(view: SessionView): Promise<string> {
  let page = '';
  for await (const piece of exportHtml(view)) page += piece;
  return page;
}

const dataPattern = /<script type="application\/json" data-part="[a-z-]+">(.*?)<\/script>/gs;

describe('an exported page', () => {
  it('holds any text as data and never as markup', async () => {
    const empty = await pageOf(viewWith(''));
    const tags = (page: string) => page.match(/<[^>]*>?/g)?.length;
    await fc.assert(
      fc.asyncProperty(fc.array(anything), async (parts) => {
        const text = parts.join('');
        const view = viewWith(text);
        const page = await pageOf(view);
        expect(tags(page)).toBe(tags(empty));
        const [head = '{}', entries = '[]'] = [...page.matchAll(dataPattern)].map(([, json]) => json);
        expect({ ...JSON.parse(head), entries: JSON.parse(entries) }).toEqual(
          JSON.parse(JSON.stringify(view)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('escapes what means something to HTML, and nothing else changes', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(escapeJson(JSON.stringify(text))).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(escapeJson(JSON.stringify(text)))).toBe(text);
        expect(escapeMarkup(text)).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('admits its own script and style by their hashes, images of data and nothing else', async () => {
    const page = await pageOf(viewWith('x'));
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(page).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(page).toContain('<noscript>');
  });

  it('cuts long sessions into several pieces of data', async () => {
    const block = { type: 'text', text: 'x'.repeat(400_000) } as const;
    const entries = Array.from({ length: 6 }, (_, index) => ({
      id: `e${index}`,
      parentId: index === 0 ? null : `e${index - 1}`,
      time: 0,
      kind: 'prompt' as const,
      blocks: [block],
    }));
    const page = await pageOf({ ...viewWith(''), entries });
    const parts = [...page.matchAll(dataPattern)].slice(1).map(([, json = '']) => JSON.parse(json));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flat()).toEqual(entries);
  });
});
