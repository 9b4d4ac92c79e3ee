import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { applyEditorAction } from './editor-actions.ts';
import { viewEditor } from './editor-view.ts';
import { typeText } from './text/edit-text.ts';
import { emptyEditorState, moveCaret, submittedText, undo } from './text/editor-state.ts';
import { insertToken, pasteText, replaceText } from './text/paste-text.ts';
import { TextBuffer } from './text/text-buffer.ts';

const room = { columns: 21, rows: 5 };

describe('the view', () => {
  it.each([
    ['English', 'the quick brown fox jumps over', ['the quick brown fox ', 'jumps over']],
    ['a long word', 'x'.repeat(45), ['x'.repeat(20), 'x'.repeat(20), 'xxxxx']],
    ['Korean', '안녕하세요 세계 반갑습니다', ['안녕하세요 세계 반갑', '습니다']],
    ['Chinese', '中文文本没有空格所以在字之间换行', ['中文文本没有空格所以', '在字之间换行']],
    ['emoji', '🙂'.repeat(11), ['🙂'.repeat(10), '🙂']],
    ['several lines', 'a\n\nb', ['a', '', 'b']],
    ['tabs', 'a\tb', ['a   b']],
    ['control characters', 'a\u001b[31m\u202eb', ['a\ufffdb']],
  ])('wraps by words: %s', (_name, text, rows) => {
    proves('P-86');
    expect(viewEditor(replaceText(emptyEditorState(), text), room).rows).toEqual(rows);
  });

  it.each([
    ['한국', 0, 4],
    ['e\u0301\u0301x', 0, 2],
    ['x'.repeat(20), 0, 20],
    ['x'.repeat(21), 1, 1],
    ['the quick brown fox ', 0, 20],
    ['a\n中', 1, 2],
  ])('tells where the caret is shown behind %j', (text, row, column) => {
    proves('P-86');
    expect(viewEditor(replaceText(emptyEditorState(), text), room).caret).toEqual({ row, column });
  });

  it('scrolls no further than it must, and says how much is out of sight', () => {
    proves('P-86');
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const end = replaceText(emptyEditorState(), lines);
    const first = viewEditor(end, room);
    expect(first.rows).toEqual(['line 15', 'line 16', 'line 17', 'line 18', 'line 19']);
    expect([first.linesAbove, first.linesBelow]).toEqual([15, 0]);
    const inside = viewEditor(moveCaret(end, { line: 16, column: 0 }), room, { top: first.top });
    expect(inside.rows[0]).toBe('line 15');
    expect(inside.caret).toEqual({ row: 1, column: 0 });
    const above = viewEditor(moveCaret(end, { line: 14, column: 0 }), room, { top: inside.top });
    expect(above.rows[0]).toBe('line 14');
    expect(above.caret).toEqual({ row: 0, column: 0 });
    const shorter = viewEditor(replaceText(end, 'one\ntwo'), room, { top: above.top });
    expect(shorter.rows).toEqual(['one', 'two']);
  });
});

describe('pasted text', () => {
  it('is shown as it is up to ten lines and a thousand characters', () => {
    proves('P-89');
    const ten = Array(10).fill('x').join('\n');
    expect(pasteText(emptyEditorState(), ten).buffer.text).toBe(ten);
    expect(pasteText(emptyEditorState(), 'y'.repeat(1000)).buffer.text).toBe('y'.repeat(1000));
  });

  it('is a token beyond that, which is sent as what it stands for', () => {
    proves('P-89');
    const long = Array(12).fill('한국').join('\r\n');
    let state = typeText(emptyEditorState(), 'see ');
    state = typeText(pasteText(state, long), ' and ');
    state = pasteText(state, 'y'.repeat(1001));
    expect(viewEditor(state, { columns: 80, rows: 5 }).rows).toEqual([
      'see [paste #1 +12 lines] and [paste #2 1001 chars]',
    ]);
    expect(submittedText(state)).toBe(`see ${long.replaceAll('\r', '')} and ${'y'.repeat(1001)}`);
  });

  it('is moved over, deleted and undone as one character', () => {
    proves('P-89');
    const pasted = pasteText(typeText(emptyEditorState(), 'a'), 'x\n'.repeat(11));
    expect(applyEditorAction(pasted, 'tui.editor.cursorLeft', room).caret.column).toBe(1);
    expect(applyEditorAction(pasted, 'tui.editor.cursorWordLeft', room).caret.column).toBe(1);
    const deleted = applyEditorAction(pasted, 'tui.editor.deleteCharBackward', room);
    expect(submittedText(deleted)).toBe('a');
    expect(submittedText(undo(deleted))).toBe(`a${'x\n'.repeat(11)}`);
  });

  it('keeps a mark that is typed behind a token apart from it', () => {
    proves('P-89');
    const state = typeText(pasteText(emptyEditorState(), 'x\n'.repeat(11)), '\u0301');
    const left = applyEditorAction(state, 'tui.editor.cursorLeft', room);
    expect(left.caret.column).toBe(1);
    expect(submittedText(applyEditorAction(left, 'tui.editor.deleteCharForward', room))).toBe(
      'x\n'.repeat(11),
    );
  });

  it('cannot be forged by text that looks like a token', () => {
    proves('P-89');
    const state = pasteText(pasteText(emptyEditorState(), 'x\n'.repeat(11)), '[paste #1 +11 lines]\udc00');
    expect(submittedText(state)).toBe(`${'x\n'.repeat(11)}[paste #1 +11 lines]\ufffd`);
  });

  it('stays whole when it is cut out with a line that is too long to be shown', () => {
    proves('P-87', 'P-89');
    let state = pasteText(emptyEditorState(), 'x\n'.repeat(11));
    for (let count = 0; count < 11; count++) state = pasteText(state, 'y'.repeat(1000));
    const text = submittedText(state);
    const cut = applyEditorAction(state, 'tui.editor.deleteToLineStart', room);
    const back = applyEditorAction(cut, 'tui.editor.yank', room);
    expect(submittedText(back)).toBe(text);
    expect(back.buffer.line(0).length).toBe(1);
  });

  it('may be an image, whose label is cut where the room is narrow', () => {
    proves('P-89');
    const token = { kind: 'image', label: '[image #1 a-long-name.png]', text: '@file:/tmp/a.png' } as const;
    const state = insertToken(emptyEditorState(), token);
    expect(viewEditor(state, { columns: 12, rows: 2 }).rows).toEqual(['[image #1 …']);
    expect(submittedText(state)).toBe('@file:/tmp/a.png');
  });
});

describe('ten megabytes', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index} some text of a line that is long`);
  const text = lines.join('\n');

  it('a key replaces one piece of the text and lays out the lines in sight', () => {
    proves('P-86');
    const state = moveCaret(replaceText(emptyEditorState(), text), { line: 100_000, column: 3 });
    const typed = typeText(state, 'x');
    const kept = typed.buffer.chunks.filter((chunk, index) => chunk === state.buffer.chunks[index]);
    expect(kept.length).toBe(state.buffer.chunks.length - 1);
    expect(Math.max(...typed.buffer.chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(1024);
    expect(viewEditor(typed, room).laidOut).toBeLessThan(20);
    expect(typed.buffer.line(100_000)).toBe(`100x000 some text of a line that is long`);
    expect(undo(typed).buffer).toBe(state.buffer);
  });

  it('pasted are one character', () => {
    proves('P-89');
    const state = pasteText(emptyEditorState(), text);
    expect(state.buffer.line(0).length).toBe(1);
    expect(viewEditor(state, { columns: 60, rows: 3 }).rows).toEqual(['[paste #1 +200000 lines]']);
    expect(submittedText(state)).toBe(text);
  });

  it('on one line, from a file say, are one character too', () => {
    proves('P-86', 'P-89');
    const long = '中'.repeat(5_000_000);
    const state = replaceText(emptyEditorState(), `a\n${long}\nb`);
    expect(viewEditor(state, { columns: 60, rows: 3 }).rows).toEqual(['a', '[paste #1 5000000 chars]', 'b']);
    expect(submittedText(state)).toBe(`a\n${long}\nb`);
  });
});

describe('the buffer', () => {
  it('is the same text however it was put together', () => {
    proves('P-86');
    let buffer = TextBuffer.of('');
    for (let index = 0; index < 3000; index++) {
      const start = { line: Math.floor(buffer.lineCount / 2), column: 0 };
      buffer = buffer.replace({ start, end: start }, `${index}\n`);
    }
    expect(buffer.lineCount).toBe(3001);
    expect(
      buffer.text
        .split('\n')
        .filter(Boolean)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 3000 }, (_, index) => index));
    const all = { start: { line: 0, column: 0 }, end: buffer.end };
    expect(buffer.slice(all)).toBe(buffer.text);
    expect(buffer.replace(all, '').isEmpty).toBe(true);
  });
});
