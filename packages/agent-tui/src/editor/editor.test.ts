import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { extractCursor } from '../frame/view-of.ts';
import type { InputEvent } from '../input/input-event.ts';
import { characterKey } from '../input/text-key.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import { Keybindings } from '../keys/keybindings.ts';
import { toolkitActions } from '../keys/toolkit-actions.ts';
import { textWidth } from '../text/styled-text.ts';
import { Editor } from './editor.ts';
import type { EditorOptions } from './editor-options.ts';
import { type HistoryEntry, InputHistory } from './input-history.ts';

describe('sending', () => {
  it('sends on enter, and begins new lines on shift+enter, ctrl+j and after a backslash', () => {
    proves('P-86');
    const { editor, sent } = stage();
    press(editor, 'a', 'shift+enter', 'b', 'ctrl+j', 'c', 'shift+enter', 'd', '\\', 'enter', 'e');
    expect(editor.text).toBe('a\nb\nc\nd\ne');
    press(editor, 'enter');
    expect(sent).toEqual(['a\nb\nc\nd\ne']);
    expect(editor.isEmpty).toBe(true);
  });

  it('sends a backslash that does not stand before the caret', () => {
    proves('P-86');
    const { editor, sent } = stage();
    press(editor, 'a', '\\', 'left', 'enter');
    expect(sent).toEqual(['a\\']);
  });

  it('sends nothing that is blank', () => {
    proves('P-86');
    const { editor, sent } = stage();
    press(editor, ' ', 'ctrl+j', 'enter');
    expect(sent).toEqual([]);
  });

  it('leaves ctrl+d in an empty text, and keys it does not know, to others', () => {
    proves('P-86');
    const { editor } = stage();
    expect(editor.handleInput(pressKey('ctrl+d'))).toBe(false);
    expect(editor.handleInput(pressKey('escape'))).toBe(false);
    expect(editor.handleInput(pressKey('f1'))).toBe(false);
    expect(editor.handleInput({ ...pressKey('a'), action: 'release' })).toBe(false);
    expect(editor.isEmpty).toBe(true);
  });
});

describe('what is seen', () => {
  it('draws text between borders of a given colour, with the caret where it is', () => {
    proves('P-86', 'P-93');
    const { editor } = stage();
    editor.isFocused = true;
    editor.borderStyle = (text) => `\u001b[35m${text}\u001b[0m`;
    press(editor, '한', '국', 'ctrl+j', 'x');
    const { lines, cursor } = extractCursor(editor.render(12));
    const border = `\u001b[35m${'─'.repeat(12)}\u001b[0m`;
    expect(lines).toEqual([border, ' > 한국', '   x', border]);
    expect(cursor).toEqual({ row: 2, column: 4 });
    editor.isFocused = false;
    expect(extractCursor(editor.render(12)).cursor).toBeUndefined();
  });

  it('shows a placeholder behind the caret until something is typed', () => {
    proves('P-86');
    const { editor } = stage();
    editor.isFocused = true;
    editor.placeholder = 'Ask anything';
    expect(extractCursor(editor.render(30)).lines[1]).toBe(' > Ask anything');
    expect(extractCursor(editor.render(30)).cursor).toEqual({ row: 1, column: 3 });
    press(editor, 'a');
    expect(extractCursor(editor.render(30)).lines[1]).toBe(' > a');
  });

  it('tells how many lines are out of sight, and is never wider than the terminal', () => {
    proves('P-86');
    const { editor } = stage();
    editor.maxRows = 3;
    editor.text = Array.from({ length: 9 }, (_, index) => `줄 ${index}`).join('\n');
    editor.render(20);
    press(editor, 'up', 'up', 'up', 'up');
    const lines = editor.render(20);
    expect(lines[0]).toContain('↑ 4');
    expect(lines[1]).toBe('   줄 4');
    expect(lines.at(-1)).toContain('↓ 2');
    for (const width of [20, 21, 40, 7])
      for (const line of editor.render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });
});

describe('history', () => {
  it('brings older texts with up and the draft back with down', () => {
    proves('P-90');
    const { editor } = stage({ history: new InputHistory(['하나', 'two\nlines']) });
    press(editor, 'up');
    expect(editor.text).toBe('two\nlines');
    press(editor, 'up');
    expect(editor.text).toBe('하나');
    press(editor, 'up');
    expect(editor.text).toBe('하나');
    press(editor, 'down', 'down');
    expect(editor.text).toBe('');
  });

  it('offers what begins with the draft, pastes in the draft are kept', () => {
    proves('P-90');
    const { editor } = stage({ history: new InputHistory(['fix one', 'other', 'fix two']) });
    press(editor, ...'fix');
    press(editor, 'up', 'up');
    expect(editor.text).toBe('fix one');
    press(editor, 'down', 'down');
    expect(editor.text).toBe('fix');
    editor.insert('x\n'.repeat(20));
    press(editor, 'up', 'down');
    expect(editor.text).toBe(`fix${'x\n'.repeat(20)}`);
  });

  it('moves through a text that was brought and touched before it brings another', () => {
    proves('P-90');
    const { editor } = stage({ history: new InputHistory(['older', 'a\nb\nc']) });
    press(editor, 'up', 'left', 'up');
    expect(editor.text).toBe('a\nb\nc');
    expect(editor.state.caret).toEqual({ line: 1, column: 0 });
    press(editor, 'up', 'up');
    expect(editor.text).toBe('older');
  });

  it('goes to the ends of the line where there is nothing to bring', () => {
    proves('P-90');
    const { editor } = stage();
    press(editor, 'a', 'b', 'left', 'up');
    expect(editor.state.caret.column).toBe(0);
    press(editor, 'down');
    expect(editor.state.caret.column).toBe(2);
    expect(editor.handleInput(pressKey('down'))).toBe(false);
  });

  it('remembers what was sent and tells that it is to be stored', () => {
    proves('P-90');
    const stored: HistoryEntry[] = [];
    const { editor } = stage({ onRemember: (entry) => stored.push(entry) });
    press(editor, 'a', 'enter', 'a', 'enter', 'b', 'enter');
    expect(stored).toEqual(['a', 'b']);
    press(editor, 'up', 'up');
    expect(editor.text).toBe('a');
  });

  it('searches with ctrl+r: older ones with each stroke, enter takes, escape leaves', () => {
    proves('P-90');
    const { editor, sent } = stage({ history: new InputHistory(['run 테스트', 'fix', 'run it']) });
    editor.isFocused = true;
    press(editor, 'd', 'ctrl+r', ...'run');
    const { lines, cursor } = extractCursor(editor.render(40));
    expect(lines[1]).toBe(' > run it');
    expect(lines[3]).toBe(' history search: run');
    expect(cursor).toEqual({ row: 3, column: 20 });
    press(editor, 'ctrl+r');
    expect(extractCursor(editor.render(40)).lines[1]).toBe(' > run 테스트');
    press(editor, 'ctrl+r');
    expect(editor.render(40)[3]).toContain('nothing found');
    press(editor, 'escape');
    expect(editor.text).toBe('d');
    press(editor, 'ctrl+r', 'f', 'x', 'backspace', 'enter');
    expect(editor.text).toBe('fix');
    expect(sent).toEqual([]);
    press(editor, 'ctrl+r', 'r', 'u', 'left');
    expect(editor.text).toBe('run it');
    expect(editor.state.caret.column).toBe(5);
  });
});

describe('pastes', () => {
  it('shows a long paste as a token and sends it whole', () => {
    proves('P-89');
    const { editor, sent } = stage();
    paste(editor, 'line\r\n'.repeat(11));
    press(editor, '?');
    expect(editor.render(60)[1]).toBe(' > [paste #1 +11 lines]?');
    press(editor, 'enter');
    expect(sent).toEqual([`${'line\n'.repeat(11)}?`]);
    paste(editor, 'y\n'.repeat(11));
    expect(editor.render(60)[1]).toBe(' > [paste #1 +11 lines]');
  });

  it('pasted line breaks and escapes never send or leave anything', () => {
    proves('P-89');
    const { editor, sent } = stage();
    paste(editor, 'rm -rf x\n\u001b');
    expect(sent).toEqual([]);
    expect(editor.text).toBe('rm -rf x\n');
    expect(editor.render(40).join('')).not.toContain('\u001b');
  });

  it('pasted control characters and escape sequences are not sent; tabs, breaks and emoji are', () => {
    proves('C-101');
    const { editor } = stage();
    paste(editor, 'a\u0007b\0c\u001b[31mred\u001b[0m\u001b]0;title\u0007\u0085\td\r\n👩‍💻é');
    expect(editor.text).toBe('abcred\td\n👩‍💻é');
  });

  it('lets the program decide what dropped files become', () => {
    proves('P-89');
    const { editor, sent } = stage({
      onDrop: (paths) =>
        paths.every((path) => path.endsWith('.png'))
          ? paths.map((path, index) => ({
              kind: 'image',
              label: `[image #${index + 1}]`,
              text: `@file:"${path}"`,
            }))
          : undefined,
    });
    paste(editor, "'/tmp/사진 1.png' /tmp/b.png");
    expect(editor.render(40)[1]).toBe(' > [image #1] [image #2]');
    press(editor, 'enter');
    paste(editor, '/tmp/other.txt');
    press(editor, 'enter');
    expect(sent).toEqual(['@file:"/tmp/사진 1.png" @file:"/tmp/b.png"', '/tmp/other.txt']);
  });
});

describe('other keys', () => {
  it('jumps to the character that is typed next', () => {
    proves('P-91');
    const { editor } = stage();
    press(editor, ...'abcabc', 'home', 'ctrl+]', 'c');
    expect(editor.state.caret.column).toBe(2);
    press(editor, 'end', 'ctrl+alt+]', 'a');
    expect(editor.state.caret.column).toBe(3);
    press(editor, 'ctrl+]', 'escape', 'x');
    expect(editor.text).toBe('abcxabc');
    press(editor, 'ctrl+]', 'left', 'y');
    expect(editor.text).toBe('abcyxabc');
  });

  it('cuts, brings back, undoes and does again by their keys', () => {
    proves('P-87', 'P-88');
    const { editor } = stage();
    press(editor, ...'one two', 'ctrl+w', 'ctrl+a', 'ctrl+k', 'ctrl+y');
    expect(editor.text).toBe('one ');
    press(editor, 'alt+y');
    expect(editor.text).toBe('two');
    press(editor, 'ctrl+-');
    expect(editor.text).toBe('');
    press(editor, 'ctrl+-', 'alt+-');
    expect(editor.text).toBe('');
  });

  it('follows the keys that a user bound', () => {
    proves('P-86');
    const keybindings = new Keybindings(toolkitActions, {
      'tui.input.submit': ['ctrl+s'],
      'tui.input.newLine': ['enter'],
    });
    const { editor, sent } = stage({ keybindings });
    press(editor, 'a', 'enter', 'b', 'ctrl+s');
    expect(sent).toEqual(['a\nb']);
  });

  it('offers keys to its program, and handles those that the program does not use', () => {
    proves('P-86');
    const ran: string[] = [];
    const onKey = (event: KeyEvent, shouting: Editor) => {
      ran.push(event.id);
      return event.id === 'ctrl+g' && shouting.submit((text) => ran.push(text.toUpperCase()));
    };
    const { editor, sent } = stage({ onKey });
    press(editor, 'a', 'b', 'left', 'ctrl+g');
    expect(ran).toEqual(['a', 'b', 'left', 'ctrl+g', 'AB']);
    expect(sent).toEqual([]);
    expect(editor.isEmpty).toBe(true);
    expect(editor.recall('older')).toBe(true);
    expect(editor.text).toBe('ab');
    expect(editor.recall('newer')).toBe(true);
    expect(editor.recall('newer')).toBe(false);
  });

  it('takes vim keys if they are wanted', () => {
    proves('P-86');
    const { editor, sent } = stage();
    editor.isVim = true;
    press(editor, ...'one two', 'escape', 'b', 'c', 'w', ...'세계', 'escape');
    expect(editor.text).toBe('one 세계');
    expect(editor.render(30).at(-1)).toContain(' normal ');
    press(editor, 'v', '0');
    expect(editor.render(30)[1]).toContain('\u001b[7m');
    press(editor, 'escape');
    expect(editor.handleInput(pressKey('escape'))).toBe(false);
    press(editor, 'enter', 'i');
    expect(sent).toEqual(['one 세계']);
    expect(editor.text).toBe('i');
  });
});

describe('any keys', () => {
  it('leave an editor that can be drawn at any width with its caret in it', () => {
    proves('P-86', 'P-88', 'P-89', 'P-90');
    const keybindings = new Keybindings(toolkitActions);
    const ids = keybindings.list().flatMap(({ keys }) => keys);
    const event: fc.Arbitrary<InputEvent> = fc.oneof(
      fc.constantFrom(...ids).map(pressKey),
      fc.constantFrom(...'abdw0$ /@\\\t한中🙂'.match(/./gu)!).map(pressKey),
      fc
        .constantFrom('x', '한국\n中文', 'y\n'.repeat(12), '\u001b[31m\u0301', '/tmp/a.png', '🇰')
        .map(pasteOf),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.boolean(), (events, isVim) => {
        const { editor } = stage({ keybindings, history: new InputHistory(['earlier', 'a\nb']) });
        editor.isVim = isVim;
        editor.isFocused = true;
        editor.maxRows = 4;
        for (const one of events) editor.handleInput(one);
        for (const width of [20, 41]) {
          const { lines, cursor } = extractCursor(editor.render(width));
          for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
          expect(cursor?.column).toBeLessThan(width);
        }
      }),
    );
  });
});

function stage(options: Partial<EditorOptions> = {}) {
  const sent: string[] = [];
  const editor = new Editor({
    keybindings: new Keybindings(toolkitActions),
    look: createRenderStyle(),
    onSubmit: (text) => sent.push(text),
    ...options,
  });
  return { editor, sent };
}

function press(editor: Editor, ...keys: readonly string[]): void {
  for (const key of keys) editor.handleInput(pressKey(key));
}

function paste(editor: Editor, text: string): void {
  editor.handleInput(pasteOf(text));
}

function pasteOf(text: string): InputEvent {
  return { type: 'paste', text };
}

/** A typed character, or a key by its id. */
function pressKey(key: string): KeyEvent {
  const isCharacter = [...key].length === 1;
  return isCharacter ? characterKey(key) : { type: 'key', id: key, otherIds: [], text: '', action: 'press' };
}
