import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findImports } from './find-imports.ts';

const paths = (markdown: string) => findImports(markdown).map(({ candidates }) => candidates.at(-1));

describe('imports in a Markdown text', () => {
  it.each([
    ['See @README.md for more', ['README.md']],
    ['@docs/a.md\n@./b.md\n- @../c.md', ['docs/a.md', './b.md', '../c.md']],
    ['@~/.claude/mine.md', ['~/.claude/mine.md']],
    ['@/etc/rules.md', ['/etc/rules.md']],
    ['read @a.md, then @b.md.', ['a.md', 'b.md']],
    ['@my\\ notes.md', ['my notes.md']],
    ['@guide.md#setup', ['guide.md']],
    ['@a.md and again @a.md', ['a.md']],
    ['mail me@example.com', []],
    ['`@a.md` and ``x @b.md` y``', []],
    ['```\n@a.md\n```\n@b.md', ['b.md']],
    ['~~~md\n@a.md\n```\n@b.md\n~~~\n@c.md', ['c.md']],
    ['````\n```\n@a.md\n```\n````\n@b.md', ['b.md']],
    ['<!-- @a.md -->\n@b.md\n<!-- @c.md', ['b.md']],
    ['a lone ` and @a.md', ['a.md']],
    ['@ nothing, @@ nothing', []],
  ])('%j imports %j', (markdown, expected) => {
    expect(paths(markdown)).toEqual(expected);
  });

  it('knows which have a line to themselves', () => {
    expect(findImports('ask @ann\n@b.md').map(({ isAlone }) => isAlone)).toEqual([false, true]);
  });

  it('nothing inside a fence is ever an import, whatever stands there', () => {
    const inside = fc.string().map((text) => text.replaceAll('`', ''));
    fc.assert(
      fc.property(inside, (text) => {
        expect(findImports(`\`\`\`\n${text}\n@inside.md\n\`\`\``)).toEqual([]);
      }),
    );
  });
});
