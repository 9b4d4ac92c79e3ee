import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEditorAction, editorActionIds } from './editor-actions.ts';
import { viewEditor } from './editor-view.ts';
import { clustersOf } from './text/cluster.ts';
import { typeText } from './text/edit-text.ts';
import {
  type EditorState,
  emptyEditorState,
  moveCaret,
  redo,
  submittedText,
  undo,
} from './text/editor-state.ts';
import { jumpToCharacter } from './text/jump-to-character.ts';
import { layoutLine } from './text/line-layout.ts';
import { pasteText, replaceText } from './text/paste-text.ts';
import { expandTokens, isTokenAt } from './text/token.ts';

const pieces = [
  ...['a', 'word', ' ', '  ', '\n', '\t', '-', '"', '/'],
  ...['한국어', '각', '中文', 'ｗ', '🙂', '👩🏽‍💻', '🇰', '🇷', '🇰🇷', '\u200d', '\ufe0f', '\u0301', 'e\u0301'],
  ...['नमस्ते', 'ไทยนี้', '\u001b', '\u202e', '\r\n', '\ud83d', '\udc00'],
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
type Step = (state: EditorState) => EditorState;
const rooms = fc.constantFrom({ columns: 20, rows: 3 }, { columns: 5, rows: 1 }, { columns: 80, rows: 10 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: text.map((typed) => (state: EditorState) => typeText(state, typed)) },
  text.map((pasted) => (state: EditorState) => pasteText(state, pasted)),
  text.map((pasted) => (state: EditorState) => pasteText(state, `${pasted}\n`.repeat(11))),
  text.map((all) => (state: EditorState) => replaceText(state, all)),
  fc
    .tuple(fc.constantFrom('a', '🙂', '국', 'e'), fc.constantFrom('forward' as const, 'backward' as const))
    .map(
      ([character, direction]) =>
        (state: EditorState) =>
          jumpToCharacter(state, character, direction),
    ),
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...editorActionIds), rooms).map(
      ([action, room]) =>
        (state: EditorState) =>
          applyEditorAction(state, action, room),
    ),
  },
);
const steps = fc.array(step, { maxLength: 25 });

describe('after any actions', () => {
  it('the caret stands between two characters of the text', () => {
    proves('P-86');
    fc.assert(
      fc.property(steps, (actions) => {
        for (const state of statesOf(actions)) expectCaretInside(state);
      }),
    );
  });

  it('undo and then redo changes nothing', () => {
    proves('P-88');
    fc.assert(
      fc.property(steps, (actions) => {
        const state = statesOf(actions).at(-1) ?? emptyEditorState();
        if (!state.past) return;
        const back = redo(undo(state));
        expect(back.buffer.text).toBe(state.buffer.text);
        expect(back.caret).toEqual(state.caret);
        expect(back.past?.buffer).toBe(state.past.buffer);
      }),
    );
  });

  it('undoing everything ends at the empty text, and redoing everything at the last one', () => {
    proves('P-88');
    fc.assert(
      fc.property(steps, (actions) => {
        const state = statesOf(actions).at(-1) ?? emptyEditorState();
        let current = state;
        let count = 0;
        for (; current.past; count++) current = undo(current);
        expect(current.buffer.text).toBe('');
        for (; count > 0; count--) current = redo(current);
        expect(current.buffer.text).toBe(state.buffer.text);
      }),
    );
  });

  it('typing after undo leaves nothing to redo', () => {
    proves('P-88');
    fc.assert(
      fc.property(steps, (actions) => {
        const state = undo(statesOf(actions).at(-1) ?? emptyEditorState());
        expect(typeText(state, 'x').future).toBeUndefined();
      }),
    );
  });

  it('the rows of a line put together are the line, and none is wider than the room', () => {
    proves('P-86');
    fc.assert(
      fc.property(steps, fc.integer({ min: 4, max: 40 }), (actions, columns) => {
        const { buffer, tokens } = statesOf(actions).at(-1) ?? emptyEditorState();
        for (let index = 0; index < buffer.lineCount; index++) {
          const line = buffer.line(index);
          const rows = layoutLine(line, { columns, tokens });
          expect(rows.map(({ start, end }) => line.slice(start, end)).join('')).toBe(line);
          for (const { cells } of rows) {
            const last = cells.at(-1);
            expect((last?.column ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(columns);
          }
        }
      }),
    );
  });

  it('the caret is in sight, also when the terminal changes its size', () => {
    proves('P-86');
    fc.assert(
      fc.property(steps, fc.array(rooms, { minLength: 1 }), (actions, sizes) => {
        let top: { line: number; row: number } | undefined;
        statesOf(actions).forEach((state, index) => {
          const room = sizes[index % sizes.length] ?? { columns: 20, rows: 3 };
          const mark = '\u0000';
          const view = viewEditor(state, room, { top, mark });
          top = view.top;
          expect(view.rows.length).toBeLessThanOrEqual(room.rows);
          expect(view.rows.findIndex((row) => row.includes(mark))).toBe(view.caret.row);
          expect(view.caret.column).toBeLessThan(room.columns);
        });
      }),
    );
  });

  it('no character of the typed and pasted text is lost but halves of characters and controls', () => {
    proves('P-86', 'P-89');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (parts) => {
        const state = parts.reduce(
          (current, part, index) => (index % 2 ? pasteText(current, part) : typeText(current, part)),
          emptyEditorState(),
        );
        const atEnd = moveCaret(state, state.buffer.end);
        const kept = parts.map(withoutControls);
        expect(submittedText(atEnd).length).toBe(kept.join('').replaceAll('\r', '').length);
      }),
    );
  });
});

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\^_])/g, '').replace(/[^\P{Cc}\n\t\r]/gu, '');
}

describe('characters of a line', () => {
  it('are those that Unicode says, whatever the length of the line', () => {
    proves('P-86');
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 150 }), (parts) => {
        const line = parts
          .join('')
          .replace(/[\r\n]/g, '')
          .replace(/\p{Surrogate}/gu, '');
        const found = clustersOf(line).map(({ start, end }) => line.slice(start, end));
        expect(found).toEqual([...segmenter.segment(line)].map(({ segment }) => segment));
      }),
    );
  });
});

function statesOf(actions: readonly Step[]): EditorState[] {
  let state = emptyEditorState();
  return actions.map((action) => {
    state = action(state);
    return state;
  });
}

function expectCaretInside({ buffer, caret, tokens }: EditorState): void {
  expect(caret.line).toBeGreaterThanOrEqual(0);
  expect(caret.line).toBeLessThan(buffer.lineCount);
  const line = buffer.line(caret.line);
  const borders = [0, ...clustersOf(line).map(({ end }) => end)];
  expect(borders).toContain(caret.column);
  for (let index = 0; index < line.length; index++)
    if (isTokenAt(line, index)) expect(borders).toEqual(expect.arrayContaining([index, index + 1]));
  expect(expandTokens(line, tokens)).not.toContain('\r');
}
