import { diffFragments } from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import type { AppStyle } from '../theme/app-tokens.ts';
import { type DiffRowsOptions, renderDiff } from './render-diff.ts';

const look = createRenderStyle() as AppStyle;
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

function rows(
  item: { readonly display?: unknown; readonly input?: unknown; readonly state?: string },
  form: DiffRowsOptions['form'] = 'brief',
): readonly string[] | undefined {
  const tool = { state: 'done', input: {}, ...item } as unknown as Parameters<typeof renderDiff>[0];
  return renderDiff(tool, { look, columns: 80, form })?.map((row) => plainText(row).trimEnd());
}

/** A result that tells the whole change of a small file. */
function diffOf(before: string | undefined, after: string) {
  let [old, now] = [0, 0];
  const numbered = diffFragments(before ?? '', after).map((line) => {
    if (line.kind !== 'added') old++;
    if (line.kind !== 'removed') now++;
    return { ...line, line: line.kind === 'removed' ? old : now };
  });
  const change = before === undefined ? 'create' : 'edit';
  return { display: { kind: 'diff', path: 'src/cart.ts', change, lines: numbered } };
}

describe('renderDiff', () => {
  it('shows the changed lines below the name of the file, without those around them', () => {
    proves('C-85', 'C-86');

    expect(rows(diffOf('a\nold\nb\n', 'a\nnew\nmore\nb\n'))).toEqual([
      'src/cart.ts',
      '2 - old',
      '2 + new',
      '3 + more',
    ]);
  });

  it('takes the change from the call where the result does not tell it', () => {
    proves('C-86');

    const input = { file_path: 'src/cart.ts', old_string: 'a\nold\nb', new_string: 'a\nnew\nb' };
    expect(rows({ input })).toEqual(['src/cart.ts', '- old', '+ new']);
    expect(rows({ input, state: 'failed' })).toBeUndefined();
    expect(rows({ input: { command: 'ls' } })).toBeUndefined();
  });

  it('shows ten lines, and of eleven the first eight', () => {
    proves('C-87');

    expect(rows(diffOf('', lines(10, 'new')))).toHaveLength(11);
    const eleven = rows(diffOf('', lines(11, 'new')));
    expect(eleven).toHaveLength(10);
    expect(eleven?.at(-1)).toBe('… 3 more lines');
    const cut = { display: { ...diffOf('', lines(9, 'new')).display, more: 500 } };
    expect(rows(cut)?.at(-1)).toBe('… 501 more lines');
  });

  it('shows nothing for identical texts', () => {
    proves('C-88');

    expect(rows(diffOf('same\n', 'same\n'))).toEqual([]);
    expect(rows({ input: { old_string: 'a', new_string: 'a' } })).toEqual([]);
  });

  it('shows the lines around a change in the history, up to a limit for each kind of change', () => {
    expect(rows(diffOf('a\nold\nb\n', 'a\nnew\nb\n'), 'folded')).toEqual([
      '    1   a',
      '    2 - old',
      '    2 + new',
      '    3   b',
    ]);
    expect(rows(diffOf(undefined, lines(30, 'new')), 'folded')).toHaveLength(9);
    expect(rows(diffOf('', lines(30, 'new')), 'folded')).toHaveLength(21);
    expect(rows(diffOf('', lines(30, 'new')), 'whole')).toHaveLength(30);
    const { display } = diffOf('', lines(30, 'old'));
    expect(rows({ display: { ...display, change: 'delete' } }, 'folded')).toEqual(['    … 30 more lines']);
  });
});
