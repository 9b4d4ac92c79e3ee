import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputHistory } from '../input-history.ts';
import { InputRecall } from '../input-recall.ts';
import {
  characterAfter,
  characterBefore,
  deleteCharBackward,
  deleteCharForward,
  typeText,
} from './edit-text.ts';
import { type EditorState, emptyEditorState, moveCaret, redo, submittedText, undo } from './editor-state.ts';
import { killTo, yank } from './kill-ring.ts';
import { expandPaste, pasteNearCaret, pastesIn, removePaste, replacePaste } from './paste-markers.ts';
import { pasteText, replaceText } from './paste-text.ts';
import { isPastedAt, pastedSpans } from './pasted-parts.ts';
import { expandTokens } from './token.ts';

/** The draft as a list of characters and whole pastes, with the caret between two of them. */
interface Model {
  readonly atoms: readonly string[];
  readonly caret: number;
}

interface Step {
  readonly name: string;
  edit(state: EditorState): EditorState;
  model(model: Model): Model;
}

const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n');
const isPaste = (atom: string) => atom.length > 1;
/** The draft with other atoms in place of so many from a place on. */
const spliced = (
  { atoms }: Model,
  [at, removed]: readonly [number, number],
  added: readonly string[] = [],
): Model => ({
  atoms: atoms.toSpliced(at, removed, ...added),
  caret: at + added.length,
});
/** The paste that the panel would open. */
const nearest = ({ atoms, caret }: Model): number => {
  if (isPaste(atoms[caret] ?? '')) return caret;
  const before = atoms.slice(0, caret).findLastIndex(isPaste);
  return before >= 0 ? before : atoms.findIndex(isPaste);
};
const onNearest = (change: (model: Model, at: number) => Model) => (model: Model) => {
  const at = nearest(model);
  return at < 0 ? model : change(model, at);
};

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('a', 'b ', '\n', 'see ').map((text) => ({
    name: `type ${JSON.stringify(text)}`,
    edit: (state: EditorState) => typeText(state, text),
    model: (model: Model) => spliced(model, [model.caret, 0], [...text]),
  })),
  fc.tuple(fc.constantFrom('x', 'y'), fc.integer({ min: 11, max: 14 })).map(([word, count]) => ({
    name: `paste ${count} of ${word}`,
    edit: (state: EditorState) => pasteText(state, lines(word, count)),
    model: (model: Model) => spliced(model, [model.caret, 0], [lines(word, count)]),
  })),
  fc.constantFrom<Step>(
    {
      name: 'left',
      edit: (state) => moveCaret(state, characterBefore(state)),
      model: ({ atoms, caret }) => ({ atoms, caret: Math.max(0, caret - 1) }),
    },
    {
      name: 'right',
      edit: (state) => moveCaret(state, characterAfter(state)),
      model: ({ atoms, caret }) => ({ atoms, caret: Math.min(atoms.length, caret + 1) }),
    },
    {
      name: 'backspace',
      edit: deleteCharBackward,
      model: (model) => (model.caret === 0 ? model : spliced(model, [model.caret - 1, 1])),
    },
    {
      name: 'delete',
      edit: deleteCharForward,
      model: (model) => spliced(model, [model.caret, 1]),
    },
    {
      name: 'cut the character before and put it back',
      edit: (state) => yank(killTo(state, characterBefore(state))),
      // A mark that is cut out comes back as one.
      model: (model) => model,
    },
    {
      name: 'expand',
      edit: (state) => {
        const marker = pasteNearCaret(state);
        return marker ? expandPaste(state, marker) : state;
      },
      model: onNearest((model, at) => spliced(model, [at, 1], [...(model.atoms[at] ?? '')])),
    },
    {
      name: 'edit the paste in another program',
      edit: (state) => {
        const marker = pasteNearCaret(state);
        return marker ? replacePaste(state, marker, `${marker.token.text}\nmore`) : state;
      },
      model: onNearest((model, at) => spliced(model, [at, 1], [`${model.atoms[at]}\nmore`])),
    },
    {
      name: 'remove',
      edit: (state) => {
        const marker = pasteNearCaret(state);
        return marker ? removePaste(state, marker) : state;
      },
      model: onNearest((model, at) => spliced(model, [at, 1])),
    },
    {
      name: 'undo and redo',
      edit: (state) => (state.past ? redo(undo(state)) : state),
      model: (model) => model,
    },
    {
      name: 'look at an older prompt and come back',
      edit: (state) => {
        const recall = new InputRecall(
          new InputHistory([submittedText(state), `${submittedText(state)} older`]),
        );
        const older = recall.older(state);
        return older ? (recall.newer(older) ?? state) : state;
      },
      model: (model) => model,
    },
  ),
);

describe('pasted texts that are shown by a label', () => {
  it('lose nothing by any editing around them, and are one character each', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = emptyEditorState();
        let model: Model = { atoms: [], caret: 0 };
        for (const { edit, model: change } of steps) {
          state = edit(state);
          model = change(model);
          expect(submittedText(state)).toBe(model.atoms.join(''));
          const before = state.buffer.slice({ start: { line: 0, column: 0 }, end: state.caret });
          expect(expandTokens(before, state.tokens)).toBe(model.atoms.slice(0, model.caret).join(''));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('come back from the history and from another program as labels, if they were not touched', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const state = steps.reduce((current, { edit }) => edit(current), emptyEditorState());
        const text = submittedText(state);
        const recalled = replaceText(emptyEditorState(), text, pastedSpans(state));
        expect(submittedText(recalled)).toBe(text);
        const inert = (one: EditorState) =>
          pastedSpans(one).flatMap(({ start, end }) =>
            Array.from({ length: end - start }, (_, index) => start + index),
          );
        expect(new Set(inert(recalled))).toEqual(new Set(inert(state)));
        const changed = `# first\n${text}\n# last`;
        const edited = replaceText(state, changed, pastesIn(state, changed));
        expect(submittedText(edited)).toBe(changed);
        const labels = (one: EditorState) => one.buffer.text.match(/\p{Surrogate}/gu) ?? [];
        expect(labels(edited)).toHaveLength(labels(state).length);
      }),
      { numRuns: 300 },
    );
  });

  it('stay inert when they are expanded, can be folded again by undo, and keep lines that are too long as labels', () => {
    const text = `!rm -rf\n${lines('x', 12)}`;
    const state = pasteText(emptyEditorState(), text);
    const marker = pasteNearCaret(state);
    if (!marker) throw new Error('there is no marker');
    const expanded = expandPaste(state, marker);
    expect(expanded.buffer.lineCount).toBe(13);
    expect(isPastedAt(expanded, { line: 0, column: 0 })).toBe(true);
    expect(undo(expanded).buffer.text).toBe(state.buffer.text);
    const long = pasteText(emptyEditorState(), `a\n${'y'.repeat(20_000)}\nb`);
    const [only] = [pasteNearCaret(long)];
    const partly = only ? expandPaste(long, only) : long;
    expect(expandTokens(partly.buffer.text, partly.tokens, 'label')).toBe('a\n[paste #2 20000 chars]\nb');
    const line = pasteNearCaret(partly);
    expect(line && expandPaste(partly, line)).toBe(partly);
    const other = replacePaste(state, marker, lines('z', 20));
    expect(expandTokens(other.buffer.text, other.tokens, 'label')).toBe('[paste #1 +20 lines]');
    expect(replacePaste(state, marker, 'short').buffer.text).toBe('short');
  });
});
