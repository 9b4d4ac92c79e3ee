import { renderTree, showsUnicode } from '@robota-sdk/agent-export';
import { Conversation, MemorySessionStore, type SessionTree } from '@robota-sdk/agent-sessions';
import { ScriptedProvider, testChoice } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryNames, findEntry } from './find-entry.ts';

/** A tree in which each prompt with its answer stands behind an earlier place: 0 is the beginning, n what the nth said. */
async function treeOf(parents: readonly number[]): Promise<SessionTree> {
  const handle = await new MemorySessionStore().create({ cwd: '/x' });
  const models = [testChoice(new ScriptedProvider(() => ({ text: 'ok' })))] as const;
  const session = new Conversation({ tools: [], models, systemMessage: '', handle });
  const places: (string | null)[] = [null];
  for (const [index, parent] of parents.entries()) {
    await session.branches.moveTo(places[parent % places.length] ?? null);
    await session.run(`prompt ${index + 1}`);
    places.push(session.branches.leafId);
  }
  return session.branches.tree();
}

const ascii = { all: false, unicode: false } as const;
const stripped = (drawn: string) => drawn.replace(/ \(\d{4}-[^)]*\)/g, '');

describe('the drawn tree', () => {
  it('goes straight down where one is, with what was left beside it', async () => {
    proves('P-21');
    const tree = await treeOf([0, 1, 2, 1, 4, 4]);
    expect(stripped(renderTree(tree, ascii))).toBe(
      [
        '* 1 prompt 1',
        '|-o 2 prompt 2',
        '| o 3 prompt 3',
        '* 4 prompt 4',
        '|-o 5 prompt 5',
        '* 6 prompt 6 <- you are here',
      ].join('\n'),
    );
    expect(stripped(renderTree(tree, { ...ascii, unicode: true }))).toContain('● 4 prompt 4\n├─○ 5');
    expect(renderTree(tree, { ...ascii, all: true })).toMatch(/answer: ok/);
  });

  it('shows every prompt once under the number that finds it, whatever the tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 12 }), async (parents) => {
        const tree = await treeOf(parents);
        const drawn = renderTree(tree, ascii);
        const numbers = [...drawn.matchAll(/[*o] (\d+) prompt \1 /g)].map(([, number]) => Number(number));
        expect([...numbers].sort((a, b) => a - b)).toEqual(parents.map((_, index) => index + 1));
        expect(drawn.match(/<- you are here/g) ?? []).toHaveLength(parents.length === 0 ? 0 : 1);
        for (const [id, number] of tree.promptNumbers()) {
          expect(findEntry(tree, String(number))).toBe(id);
          expect(findEntry(tree, id)).toBe(id);
          expect(entryNames(tree)).toContain(id);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is in ASCII unless the locale says UTF-8', () => {
    expect(showsUnicode({ LANG: 'en_US.UTF-8' }, 'linux')).toBe(true);
    expect(showsUnicode({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux')).toBe(false);
    expect(showsUnicode({ LC_CTYPE: 'de_DE.utf8' }, 'linux')).toBe(true);
    expect(showsUnicode({}, 'linux')).toBe(false);
    expect(showsUnicode({}, 'win32')).toBe(true);
  });
});
