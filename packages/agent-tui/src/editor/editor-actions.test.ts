import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { applyEditorAction, type EditorAction } from './editor-actions.ts';
import { deleteCharBackward, typeText } from './text/edit-text.ts';
import {
  clearedState,
  type EditorState,
  emptyEditorState,
  moveCaret,
  redo,
  undo,
} from './text/editor-state.ts';
import { jumpToCharacter } from './text/jump-to-character.ts';
import { pasteText, replaceText } from './text/paste-text.ts';
import { expandTokens } from './text/token.ts';

const room = { columns: 80, rows: 10 };

describe('moving by characters', () => {
  it.each([
    ['English', 'ab|c', 'a|bc', 'abc|'],
    ['Korean', '한국|어', '한|국어', '한국어|'],
    ['Chinese', '中文|字', '中|文字', '中文字|'],
    ['emoji', '👩🏽‍💻🇰🇷|👨‍👩‍👧‍👦', '👩🏽‍💻|🇰🇷👨‍👩‍👧‍👦', '👩🏽‍💻🇰🇷👨‍👩‍👧‍👦|'],
    ['combining marks', 'e\u0301|o\u0308\u0304', '|e\u0301o\u0308\u0304', 'e\u0301o\u0308\u0304|'],
    ['across lines', 'a\n|b', 'a|\nb', 'a\nb|'],
  ])('goes left and right over whole ones: %s', (_name, ...[text, left, right]) => {
    proves('P-86');
    expect(after(text, 'tui.editor.cursorLeft')).toBe(left);
    expect(after(text, 'tui.editor.cursorRight')).toBe(right);
  });

  it.each([
    ['|a', 'tui.editor.cursorLeft'],
    ['a|', 'tui.editor.cursorRight'],
    ['|', 'tui.editor.cursorUp'],
    ['|', 'tui.editor.deleteCharBackward'],
    ['|', 'tui.editor.deleteToLineEnd'],
    ['|', 'tui.editor.yank'],
    ['|', 'tui.editor.undo'],
  ] as const)('leaves %j as it is at the end of the text: %s', (text, action) => {
    proves('P-86');
    expect(after(text, action)).toBe(text);
  });
});

describe('moving by words', () => {
  it.each([
    ['one two|', 'one |two', '|one two'],
    ['foo_bar --flag|', 'foo_bar --|flag', 'foo_bar |--flag'],
    ['안녕하세요 세계|', '안녕하세요 |세계', '|안녕하세요 세계'],
    ['你好世界|', '你好|世界', '|你好世界'],
    ['hi 🙂🙂|', 'hi |🙂🙂', '|hi 🙂🙂'],
    ['cafe\u0301 no\u0308|', 'cafe\u0301 |no\u0308', '|cafe\u0301 no\u0308'],
    ['a\n|', 'a|\n', '|a\n'],
  ])('goes left from %j', (text, once, twice) => {
    proves('P-86');
    expect(after(text, 'tui.editor.cursorWordLeft')).toBe(once);
    expect(after(text, 'tui.editor.cursorWordLeft', 'tui.editor.cursorWordLeft')).toBe(twice);
  });

  it.each([
    ['|one two', 'one| two', 'one two|'],
    ['|... end', '...| end', '... end|'],
    ['|안녕 세계', '안녕| 세계', '안녕 세계|'],
    ['|你好世界', '你好|世界', '你好世界|'],
    ['a|\nb', 'a\n|b', 'a\nb|'],
  ])('goes right from %j', (text, once, twice) => {
    proves('P-86');
    expect(after(text, 'tui.editor.cursorWordRight')).toBe(once);
    expect(after(text, 'tui.editor.cursorWordRight', 'tui.editor.cursorWordRight')).toBe(twice);
  });
});

describe('moving by lines', () => {
  it('goes to the start and end of the line', () => {
    proves('P-86');
    expect(after('한국\nab|c\nd', 'tui.editor.cursorLineStart')).toBe('한국\n|abc\nd');
    expect(after('한국\nab|c\nd', 'tui.editor.cursorLineEnd')).toBe('한국\nabc|\nd');
  });

  it('comes back to its column over a short line', () => {
    proves('P-92');
    expect(after('abcdef|\nx\n한국어!', 'tui.editor.cursorDown')).toBe('abcdef\nx|\n한국어!');
    expect(after('abcdef|\nx\n한국어!', 'tui.editor.cursorDown', 'tui.editor.cursorDown')).toBe(
      'abcdef\nx\n한국어|!',
    );
    expect(after('abcd|ef\nx\nabcdef', 'tui.editor.cursorDown', 'tui.editor.cursorDown')).toBe(
      'abcdef\nx\nabcd|ef',
    );
  });

  it('forgets the column once the caret moves otherwise or text is typed', () => {
    proves('P-92');
    const down = state('abcd|ef\nx\nabcdef', 'tui.editor.cursorDown');
    const left = applyEditorAction(down, 'tui.editor.cursorLeft', room);
    expect(shown(applyEditorAction(left, 'tui.editor.cursorDown', room))).toBe('abcdef\nx\n|abcdef');
    expect(shown(applyEditorAction(typeText(down, 'y'), 'tui.editor.cursorDown', room))).toBe(
      'abcdef\nxy\nab|cdef',
    );
  });

  it('goes up and down by rows of the screen where a line is wrapped', () => {
    proves('P-86', 'P-92');
    const narrow = { columns: 8, rows: 10 };
    const start = parse('one two three| four');
    const up = applyEditorAction(start, 'tui.editor.cursorUp', narrow);
    expect(shown(up)).toBe('one t|wo three four');
    expect(shown(applyEditorAction(up, 'tui.editor.cursorDown', narrow))).toBe('one two three| four');
  });

  it('goes by pages', () => {
    proves('P-86');
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
    const start = moveCaret(replaceText(emptyEditorState(), lines), { line: 0, column: 3 });
    const down = applyEditorAction(start, 'tui.editor.pageDown', room);
    expect(down.caret).toEqual({ line: 9, column: 3 });
    expect(applyEditorAction(down, 'tui.editor.pageUp', room).caret).toEqual({ line: 0, column: 3 });
    const end = applyEditorAction({ ...start, caret: { line: 28, column: 0 } }, 'tui.editor.pageDown', room);
    expect(end.caret).toEqual({ line: 29, column: 0 });
  });
});

describe('deleting', () => {
  it.each([
    ['한국어|', 'tui.editor.deleteCharBackward', '한국|'],
    ['中|文', 'tui.editor.deleteCharForward', '中|'],
    ['a👩🏽‍💻|b', 'tui.editor.deleteCharBackward', 'a|b'],
    ['e\u0301|', 'tui.editor.deleteCharBackward', '|'],
    ['a\n|b', 'tui.editor.deleteCharBackward', 'a|b'],
    ['a|\nb', 'tui.editor.deleteCharForward', 'a|b'],
    ['one two|', 'tui.editor.deleteWordBackward', 'one |'],
    ['你好世界|', 'tui.editor.deleteWordBackward', '你好|'],
    ['|one two', 'tui.editor.deleteWordForward', '| two'],
    ['a\nbc|d', 'tui.editor.deleteToLineStart', 'a\n|d'],
    ['a\n|bc', 'tui.editor.deleteToLineStart', 'a|bc'],
    ['a|bc\nd', 'tui.editor.deleteToLineEnd', 'a|\nd'],
    ['a|\nd', 'tui.editor.deleteToLineEnd', 'a|d'],
  ] as const)('takes whole characters, words and lines: %j %s', (text, action, result) => {
    proves('P-86');
    expect(after(text, action)).toBe(result);
  });

  it('leaves the caret between characters where two halves of a flag meet', () => {
    proves('P-86');
    const joined = deleteCharBackward(parse('🇰x|🇷'));
    expect(shown(joined)).toBe('🇰🇷|');
  });
});

describe('the kill ring', () => {
  it('brings back what was cut out, in one piece if it was cut in a row', () => {
    proves('P-87');
    expect(
      after(
        'one two 세|계',
        'tui.editor.deleteWordBackward',
        'tui.editor.deleteWordBackward',
        'tui.editor.yank',
      ),
    ).toBe('one two 세|계');
    expect(
      after('|ab\ncd', 'tui.editor.deleteToLineEnd', 'tui.editor.deleteToLineEnd', 'tui.editor.yank'),
    ).toBe('ab\n|cd');
  });

  it('goes round the pieces with yank-pop, and one undo takes them back', () => {
    proves('P-87');
    let current = state('one two|', 'tui.editor.deleteWordBackward', 'tui.editor.cursorLineStart');
    current = applyEditorAction(current, 'tui.editor.deleteWordForward', room);
    current = applyEditorAction(current, 'tui.editor.yank', room);
    expect(shown(current)).toBe('one| ');
    current = applyEditorAction(current, 'tui.editor.yankPop', room);
    expect(shown(current)).toBe('two| ');
    current = applyEditorAction(current, 'tui.editor.yankPop', room);
    expect(shown(current)).toBe('one| ');
    expect(shown(undo(current))).toBe('| ');
  });

  it('does nothing on yank-pop if nothing was just put in', () => {
    proves('P-87');
    const current = typeText(state('one|', 'tui.editor.deleteWordBackward'), 'x');
    expect(applyEditorAction(current, 'tui.editor.yankPop', room)).toBe(current);
  });

  it('keeps what was cut out, pasted text too, after the text was sent', () => {
    proves('P-87');
    const pasted = applyEditorAction(
      pasteText(emptyEditorState(), 'x\n'.repeat(20)),
      'tui.editor.deleteToLineStart',
      room,
    );
    const next = applyEditorAction(clearedState(pasted), 'tui.editor.yank', room);
    expect(expandTokens(next.buffer.text, next.tokens)).toBe('x\n'.repeat(20));
  });
});

describe('undo', () => {
  it('takes back typing by words', () => {
    proves('P-88');
    let current = emptyEditorState();
    for (const character of '안녕 hello world') current = typeText(current, character);
    current = undo(current);
    expect(shown(current)).toBe('안녕 hello |');
    current = undo(current);
    expect(shown(current)).toBe('안녕 |');
    current = undo(current);
    expect(shown(current)).toBe('|');
    expect(shown(redo(redo(current)))).toBe('안녕 hello |');
  });

  it('takes back deletions in a row at once, apart from typing', () => {
    proves('P-88');
    let current = typeText(emptyEditorState(), 'abc');
    current = deleteCharBackward(deleteCharBackward(current));
    expect(shown(undo(current))).toBe('abc|');
    expect(shown(undo(typeText(current, 'x')))).toBe('a|');
  });

  it('begins a new step after the caret moved', () => {
    proves('P-88');
    const moved = applyEditorAction(typeText(emptyEditorState(), 'ab'), 'tui.editor.cursorLeft', room);
    expect(shown(undo(typeText(moved, 'x')))).toBe('a|b');
  });

  it('drops what could be redone when text is typed', () => {
    proves('P-88');
    const undone = undo(typeText(emptyEditorState(), 'a'));
    const typed = typeText(undone, 'b');
    expect(redo(typed)).toBe(typed);
  });
});

describe('character jump', () => {
  it.each([
    ['|abcabc', 'c', 'forward', 'ab|cabc'],
    ['ab|cabc', 'c', 'forward', 'abcab|c'],
    ['abcab|c', 'a', 'backward', 'abc|abc'],
    ['a|\n한국어', '어', 'forward', 'a\n한국|어'],
    ['中文\nx|', '文', 'backward', '中|文\nx'],
    ['|x🙂y🙂', '🙂', 'forward', 'x|🙂y🙂'],
    ['|xe\u0301e', 'e', 'forward', 'xe\u0301|e'],
    ['|abc', 'z', 'forward', '|abc'],
  ] as const)('from %j to %s %s', (...[text, character, direction, result]) => {
    proves('P-91');
    expect(shown(jumpToCharacter(parse(text), character, direction))).toBe(result);
  });
});

/** The state of a text in which a bar marks the caret. */
function parse(text: string): EditorState {
  const [before = '', behind = ''] = text.split('|');
  const lines = before.split('\n');
  const filled = { ...replaceText(emptyEditorState(), before + behind), past: undefined };
  return { ...filled, caret: { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 } };
}

function state(text: string, ...actions: readonly EditorAction[]): EditorState {
  return actions.reduce((current, action) => applyEditorAction(current, action, room), parse(text));
}

function after(text: string, ...actions: readonly EditorAction[]): string {
  return shown(state(text, ...actions));
}

function shown({ buffer, caret, tokens }: EditorState): string {
  const text = buffer.replace({ start: caret, end: caret }, '|').text;
  return expandTokens(text, tokens, 'label');
}
