import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clustersOf } from '../text/cluster.ts';
import { typeText } from '../text/edit-text.ts';
import { emptyEditorState } from '../text/editor-state.ts';
import { replaceText } from '../text/paste-text.ts';
import { vimKey, vimSelection } from './vim-keys.ts';
import { insertMode, type VimEditor } from './vim-state.ts';

const room = { columns: 40, rows: 10 };

describe('vim keys', () => {
  it.each([
    ['h over Korean', '한국|어', 'h', '한|국어'],
    ['l stops at the last character', 'a|b', 'l l l', 'a|b'],
    ['3l', '|abcdef', '3 l', 'abc|def'],
    ['j and k keep the column', 'abc|d\nx\nabcd', 'j j', 'abcd\nx\nabc|d'],
    ['k', 'ab\nc|d', 'k', 'a|b\ncd'],
    ['w over signs and lines', '|foo(bar)\n  x', 'w', 'foo|(bar)\n  x'],
    ['w to the next line', 'foo |x\n  y', 'w', 'foo x\n  |y'],
    ['w over Chinese words', '|你好世界', 'w', '你好|世界'],
    ['b', 'one two t|hree', 'b b', 'one |two three'],
    ['b to the line above', 'one two\n|x', 'b', 'one |two\nx'],
    ['e', '|one two', 'e e', 'one tw|o'],
    ['0 and $', 'ab |c', '$ 0', '|ab c'],
    ['^', '  ab|c', '^', '  |abc'],
    ['gg and G', 'a\nb|\nc', 'G', 'a\nb\n|c'],
    ['2gg', 'a\nb\n|c', '2 g g', 'a\n|b\nc'],
    ['f and ;', '|a.b.c', 'f . ;', 'a.b|.c'],
    ['t and ;', '|a.b.c', 't . ;', 'a.|b.c'],
    ['F and ,', 'a.b.|c', 'F . ,', 'a.b|.c'],
    ['2f of an emoji', '|🙂a🙂b🙂', '2 f 🙂', '🙂a🙂b|🙂'],
    ['/ and n round the end', '|one 두 one\ntwo one', '/ o n e enter n n', '|one 두 one\ntwo one'],
    ['N', 'a |b a', '/ a enter N', '|a b a'],
    ['/ that is left', '|ab', '/ b backspace backspace l', 'a|b'],
    ['/ that finds nothing', '|ab', '/ 한 enter', '|ab'],
    ['f that finds nothing', '|abc', 'f z', '|abc'],
  ])('move: %s', (_name, ...[text, keys, result]) => {
    proves('P-86');
    expect(after(text, keys)).toBe(result);
  });

  it.each([
    ['x', 'a|한b', 'x', 'a|b'],
    ['x at the end of the line', 'ab|c', 'x', 'a|b'],
    ['3x', 'a|bcde', '3 x', 'a|e'],
    ['X', 'ab|c', 'X', 'a|c'],
    ['dd', 'a\n|b\nc', 'd d', 'a\n|c'],
    ['dd of the last line', 'a\n|b', 'd d', '|a'],
    ['dd of the only line', '|ab', 'd d', '|'],
    ['2dd', '|a\nb\nc', '2 d d', '|c'],
    ['dw', '|one two', 'd w', '|two'],
    ['d2w', '|one two three', 'd 2 w', '|three'],
    ['dw keeps the line break', 'one |two\nx', 'd w', 'one| \nx'],
    ['db', 'one |two', 'd b', '|two'],
    ['de', '|one two', 'd e', '| two'],
    ['d$', 'ab|cd', 'd $', 'a|b'],
    ['D', 'ab|cd', 'D', 'a|b'],
    ['d0', 'ab|cd', 'd 0', '|cd'],
    ['dj', 'a\n|b\nc\nd', 'd j', 'a\n|d'],
    ['dj on the last line', 'a\n|b', 'd j', 'a\n|b'],
    ['dgg', 'a\nb\n|c\nd', 'd g g', '|d'],
    ['dG', 'a\n|b\nc', 'd G', '|a'],
    ['dt', '|ab.c', 'd t .', '|.c'],
    ['d/', '|one two', 'd / t w enter', '|two'],
    ['df', '|ab.c', 'd f .', '|c'],
    ['r', '|abc', 'r 한', '|한bc'],
    ['J', '|a\n  b', 'J', 'a| b'],
    ['u', '|abc', 'x x u', '|bc'],
    ['ctrl+r', '|abc', 'x u ctrl+r', '|bc'],
    ['an operator that nothing follows', '|abc', 'd escape x', '|bc'],
    ['a key that means nothing', '|abc', 'd q x', '|bc'],
  ])('delete: %s', (_name, ...[text, keys, result]) => {
    proves('P-86');
    expect(after(text, keys)).toBe(result);
  });

  it.each([
    ['yy p', '|a\nb', 'y y p', 'a\n|a\nb'],
    ['yy P', 'a\n|b', 'y y P', 'a\n|b\nb'],
    ['dd p', '|a\nb', 'd d p', 'b\n|a'],
    ['2p', '|ab', 'y y 2 p', 'ab\n|ab\nab'],
    ['yw P', '|one two', 'y w P', 'one |one two'],
    ['x p exchanges characters', '|ab', 'x p', 'b|a'],
    ['v and y', '|한국어', 'v l y $ p', '한국어한|국'],
    ['v and d', 'a|bcd', 'v l d', 'a|d'],
    ['v o extends the other end', 'ab|cd', 'v l o h d', '|a'],
    ['V and d', 'a\n|b\nc', 'V j d', '|a'],
    ['v and c', '|abc', 'v l c X', 'X|c'],
  ])('copy and put: %s', (_name, ...[text, keys, result]) => {
    proves('P-86', 'P-87');
    expect(after(text, keys)).toBe(result);
  });

  it.each([
    ['i', 'a|b', 'i X escape', 'a|Xb'],
    ['a', 'a|b', 'a X', 'abX|'],
    ['I', '  a|b', 'I X', '  X|ab'],
    ['A', '|ab', 'A X', 'abX|'],
    ['o', '|a\nb', 'o X', 'a\nX|\nb'],
    ['O', 'a\n|b', 'O X', 'a\nX|\nb'],
    ['cw', '|one two', 'c w X', 'X| two'],
    ['cw on the last letter', 'on|e two', 'c w X', 'onX| two'],
    ['cc', 'a\nb|b\nc', 'c c X', 'a\nX|\nc'],
    ['C', 'ab|cd', 'C X', 'abX|'],
    ['s', '|ab', 's X', 'X|b'],
    ['S', 'a|b', 'S X', 'X|'],
  ])('insert: %s', (_name, ...[text, keys, result]) => {
    proves('P-86');
    expect(after(text, keys)).toBe(result);
  });

  it('leave keys alone that they do not know', () => {
    proves('P-86');
    const current = parse('|abc');
    for (const key of ['enter', 'ctrl+c', 'escape', 'up', 'alt+enter'])
      expect(vimKey(current, key)).toBeUndefined();
    expect(vimKey({ ...current, vim: insertMode }, 'x')).toBeUndefined();
  });

  it('tell what is selected', () => {
    proves('P-86');
    expect(vimSelection(press(parse('a|bc'), 'v l'))).toEqual({
      start: { line: 0, column: 1 },
      end: { line: 0, column: 3 },
    });
    expect(vimSelection(press(parse('a\n|b\nc'), 'V k'))).toEqual({
      start: { line: 0, column: 0 },
      end: { line: 1, column: 1 },
    });
    expect(vimSelection(press(parse('a|bc'), 'v escape'))).toBeUndefined();
  });

  it('keep the caret on a character whatever is pressed', () => {
    proves('P-86', 'P-88');
    const key = fc.constantFrom(
      ...'hjklwbe0$^GggddccyyxXpPuiaIAoOsSDCJrfFtT;,vV123/nN한🙂'.match(/./gu)!,
      ...['escape', 'escape', 'ctrl+r', 'left', 'right', 'home', 'end', 'delete', 'enter'],
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
        let current = parse('foo(bar) 한국|어\n\n  中文 e\u0301🙂🙂\nlast');
        for (const one of keys) current = step(current, one);
        const { buffer, caret } = current.editor;
        expect(caret.line).toBeLessThan(buffer.lineCount);
        const line = buffer.line(caret.line);
        const clusters = clustersOf(line);
        const places = clusters.map(({ start }) => start);
        if (current.vim.mode === 'insert' || line === '') places.push(line.length);
        expect(places).toContain(caret.column);
      }),
      { numRuns: 300 },
    );
  });
});

/** A text in normal mode in which a bar marks the caret. */
function parse(text: string): VimEditor {
  const [before = '', behind = ''] = text.split('|');
  const lines = before.split('\n');
  const filled = { ...replaceText(emptyEditorState(), before + behind), past: undefined };
  const editor = { ...filled, caret: { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 } };
  return { editor, vim: { ...insertMode, mode: 'normal' }, room };
}

function step(current: VimEditor, key: string): VimEditor {
  const done = vimKey(current, key);
  if (done) return done;
  const isTyped = current.vim.mode === 'insert' && clustersOf(key).length === 1;
  return isTyped ? { ...current, editor: typeText(current.editor, key) } : current;
}

function press(current: VimEditor, keys: string): VimEditor {
  return keys.split(' ').reduce(step, current);
}

function after(text: string, keys: string): string {
  const { buffer, caret } = press(parse(text), keys).editor;
  return buffer.replace({ start: caret, end: caret }, '|').text;
}
