import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listMatch } from './list-match.ts';

describe('listMatch', () => {
  it('puts beginnings before middles, and names before descriptions', () => {
    const scores = [
      listMatch('hai', 'Haiku 4.5'),
      listMatch('hai', 'Claude Haiku 4.5'),
      listMatch('aik', 'Claude Haiku 4.5'),
      listMatch('ch4', 'Claude Haiku 4.5'),
      listMatch('fast', 'Claude Haiku', 'the fast one'),
    ];
    expect(scores).toEqual([0, 1, 2, 3, 4]);
  });

  it('finds words in any order, and letters at the humps of names', () => {
    expect(listMatch('status git', '/git', 'shows the status')).toBeDefined();
    expect(listMatch('wfp', 'webFetch.allowPrivate')).toBe(3);
    expect(listMatch('gpt5', 'GPT-5 mini')).toBe(3);
  });

  it('finds nothing in letters that are scattered', () => {
    expect(listMatch('haik', 'Kimi K2', 'has a large window, reads images, thinks')).toBeUndefined();
    expect(listMatch('pager', '/plugin', 'Manage plugins and their sources')).toBeUndefined();
    expect(listMatch('vim', 'webFetch.allowPrivate', 'addresses of private networks')).toBeUndefined();
  });

  it('finds every piece of a name and of a description', () => {
    const text = fc.stringMatching(/^[a-zA-Z0-9./-]{1,12}$/);
    fc.assert(
      fc.property(fc.tuple(text, text), fc.nat(11), ([name, about], from) => {
        const piece = (of: string) => of.slice(from % of.length, (from % of.length) + 4);
        expect(listMatch(piece(name), name, about)).toBeDefined();
        expect(listMatch(piece(about), name, about)).toBeDefined();
      }),
    );
  });
});
