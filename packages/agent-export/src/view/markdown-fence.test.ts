import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../page/parse-markdown.ts';
import { closedFences, fenced } from './markdown-fence.ts';

const lines = fc
  .array(
    fc.oneof(fc.string(), fc.constantFrom('```', '````', '~~~', '``````ts', '```` x', '    ```', '> ```')),
  )
  .map((all) => all.join('\n'));

describe('a fence', () => {
  it('is longer than any inside, so that nothing ends it', () => {
    expect(fenced('a\n```\nb', 'ts')).toBe('````ts\na\n```\nb\n````');
    expect(fenced('', 'text')).toBe('```text\n```');
    fc.assert(
      fc.property(lines, (text) => {
        const [block, ...others] = parseMarkdown(`${fenced(text, 'text')}\n\nafter`);
        expect(block).toEqual({
          kind: 'code',
          language: 'text',
          text: text.replace(/\r\n/g, '\n').replace(/\n$/, ''),
        });
        expect(others).toEqual([
          { kind: 'paragraph', content: [{ kind: 'text', text: 'after', styles: [] }] },
        ]);
      }),
    );
  });

  it('that an answer left open is closed before the next part', () => {
    expect(closedFences('text\n```ts\ncode')).toBe('text\n```ts\ncode\n```');
    expect(closedFences('```ts\ncode\n```\nmore')).toBe('```ts\ncode\n```\nmore');
    expect(closedFences('~~~~\n~~~\n```')).toBe('~~~~\n~~~\n```\n~~~~');
    fc.assert(
      fc.property(lines, (text) => {
        const blocks = parseMarkdown(`${closedFences(text)}\n\n# The end`);
        expect(blocks.at(-1)).toMatchObject({ kind: 'heading', level: 1 });
      }),
    );
  });
});
