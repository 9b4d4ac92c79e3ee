import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deleteCharBackward, typeText } from './edit-text.ts';
import { applyEdit, emptyEditorState, moveCaret, redo, submittedText, undo } from './editor-state.ts';
import { insertToken, pasteText, prependText, replaceText } from './paste-text.ts';
import { isPastedAt, pastedSpans } from './pasted-parts.ts';
import { endOfInsertion } from './text-buffer.ts';

const origin = { line: 0, column: 0 };

/** The pasted parts of a text. */
function pastedIn(state: ReturnType<typeof emptyEditorState>): string[] {
  const text = submittedText(state);
  return pastedSpans(state).map(({ start, end }) => text.slice(start, end));
}

describe('what was pasted', () => {
  it('is known where it is more than a line, also behind a token', () => {
    proves('P-89');
    expect(pastedIn(pasteText(emptyEditorState(), '!ls'))).toEqual([]);
    expect(pastedIn(pasteText(emptyEditorState(), '!ls\n'))).toEqual([]);
    expect(pastedIn(pasteText(emptyEditorState(), '!a\n!b'))).toEqual(['!a\n!b']);
    const long = '!echo\n'.repeat(30);
    const folded = typeText(pasteText(typeText(emptyEditorState(), 'see 🙂 '), long), ' now');
    expect(pastedIn(folded)).toEqual([long]);
    expect(pastedIn(pasteText(emptyEditorState(), `!${'x'.repeat(2000)}`))).toHaveLength(1);
    const image = insertToken(emptyEditorState(), { kind: 'image', label: '[i]', text: '@file:"i.png"' });
    expect(pastedIn(image)).toEqual([]);
  });

  it('stays known through typing around it, undo and redo, and is forgotten with its last character', () => {
    proves('P-89');
    const pasted = pasteText(emptyEditorState(), '!a\n!b');
    const before = typeText(moveCaret(pasted, origin), '! ');
    expect(pastedIn(before)).toEqual(['!a\n!b']);
    expect([0, 2].map((column) => isPastedAt(before, { line: 0, column }))).toEqual([false, true]);
    let erased = pasted;
    for (let count = 0; count < 5; count++) erased = deleteCharBackward(erased);
    expect(erased.pasted).toEqual([]);
    expect(pastedIn(typeText(erased, '!ls'))).toEqual([]);
    expect(pastedIn(undo(erased))).toEqual(['!a\n!b']);
    expect(pastedIn(redo(undo(erased)))).toEqual([]);
  });

  it('comes back with a text that is put in place or before', () => {
    proves('P-89');
    const spans = [{ start: 2, end: 6 }];
    const placed = replaceText(typeText(emptyEditorState(), 'old'), 'a !b\nc d', spans);
    expect(pastedIn(placed)).toEqual(['!b\nc']);
    const twice = prependText(placed, 'x\n!y', [{ start: 2, end: 4 }]);
    expect(submittedText(twice)).toBe('x\n!y\na !b\nc d');
    expect(pastedIn(twice)).toEqual(['!y', '!b\nc']);
    expect(twice.caret).toEqual({ line: 3, column: 3 });
  });

  it('is told apart from what is typed, whatever is done to the text', () => {
    proves('P-89');
    const step = fc.record({
      at: fc.nat(60),
      length: fc.oneof(fc.constant(0), fc.nat(8)),
      text: fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 6 }),
      isPaste: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let state = emptyEditorState();
        let model: { readonly character: string; readonly paste: number }[] = [];
        for (const [number, { at, length, text, isPaste }] of steps.entries()) {
          const written = state.buffer.text;
          const start = Math.min(at, written.length);
          const end = Math.min(start + (isPaste ? 0 : length), written.length);
          const range = {
            start: endOfInsertion(origin, written.slice(0, start)),
            end: endOfInsertion(origin, written.slice(0, end)),
          };
          state = isPaste
            ? pasteText({ ...state, caret: range.start }, `x\n${text}y`)
            : applyEdit(state, { range, text });
          const [left, right] = [model[start - 1]?.paste ?? 0, model[end]?.paste ?? 0];
          const inside = left === right ? left : 0;
          const added = [...(isPaste ? `x\n${text}y` : text)];
          const paste = isPaste ? number + 1 : inside;
          // A paste within another one belongs to it, as what is typed there does.
          const id = isPaste && inside !== 0 ? inside : paste;
          model = [
            ...model.slice(0, start),
            ...added.map((character) => ({ character, paste: id })),
            ...model.slice(end),
          ];
        }
        const text = state.buffer.text;
        const flags = [...text].map(() => false);
        for (const span of pastedSpans(state)) flags.fill(true, span.start, span.end);
        expect(text).toBe(model.map(({ character }) => character).join(''));
        expect(flags).toEqual(model.map(({ paste }) => paste !== 0));
      }),
    );
  });
});
