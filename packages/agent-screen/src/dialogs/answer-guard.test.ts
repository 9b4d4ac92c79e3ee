import type { Answer, Question } from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { Editor } from '@robota-sdk/agent-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pressed, testStage } from './fixtures/test-stage.ts';
import { terminalInterface } from './terminal-interface.ts';

type Selection = Extract<Question, { kind: 'select' }>;

const run: Selection = {
  kind: 'select',
  title: 'Robota wants to run a command',
  detail: 'npm run build',
  options: [
    { label: 'Allow once', means: 'yes' },
    { label: 'Allow for this session' },
    {
      label: 'Deny, and tell Robota what to do instead',
      means: 'no',
      asks: 'What should Robota do instead?',
    },
  ],
};

/** An editor and the questions that interrupt it, on a clock that tests set. */
function openDesk({ isVim = false } = {}) {
  const stage = testStage();
  const clock = { time: 0 };
  const sent: string[] = [];
  let typedAt: number | undefined;
  const editor = new Editor({
    look: stage.look,
    keybindings: stage.keys,
    onSubmit: (text) => {
      sent.push(text);
      typedAt = undefined;
    },
  });
  editor.isVim = isVim;
  const ui = terminalInterface(stage, {
    now: () => clock.time,
    draft: () => ({ isEmpty: editor.isEmpty, typedAt, ownsEscape: editor.isVim }),
  });
  /** Presses a key as the screen passes it on: to the panel, else to the editor. */
  const press = (...keys: string[]) => {
    for (const key of keys) {
      const event = pressed(key);
      const panel = stage.panels.at(-1);
      if (!panel) {
        typedAt = clock.time;
        editor.handleInput(event);
      } else if (!panel.handleInput?.(event) && panel.isForDraft?.()) {
        typedAt = clock.time;
        editor.editDraft(event);
      }
    }
  };
  const answers: Answer[] = [];
  const ask = (question: Question = run) => void ui.ask(question).then((answer) => answers.push(answer));
  return { stage, clock, editor, sent, press, ask, answers };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a question that appears while the user is typing', () => {
  const stroke = fc.record({
    text: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abehilmnosty   ') },
      { weight: 3, arbitrary: fc.constantFrom(...'yn123456789?/!@.') },
      { weight: 1, arbitrary: fc.constantFrom('enter', '세', '👩‍💻', 'yes', '1', 'no') },
    ),
    pause: fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 20, max: 3_000 })),
  });
  const questions: readonly Question[] = [
    run,
    { kind: 'confirm', title: 'Continue?' },
    { kind: 'text', title: 'Name?' },
    { kind: 'select', title: 'Which?', words: 'another', options: run.options },
    {
      kind: 'select',
      title: 'Which one?',
      options: Array.from({ length: 20 }, (_, n) => ({ label: `option ${n}` })),
    },
  ];

  it('is never answered by the rest of the sentence or its enter, and no character is lost', async () => {
    proves('C-104');
    await fc.assert(
      fc.asyncProperty(
        fc.array(stroke, { minLength: 2, maxLength: 40 }),
        fc.nat(),
        fc.constantFrom(...questions),
        async (strokes, place, question) => {
          const { clock, editor, sent, press, ask, answers } = openDesk();
          const at = 1 + (place % (strokes.length - 1));
          // The key before the question is one of a sentence, not the enter that ended one.
          const keys = strokes.map(({ text }, index) => (index === at - 1 && text === 'enter' ? 'x' : text));
          for (const [index, key] of keys.entries()) {
            if (index === at) ask(question);
            if (key === 'enter' || [...key].length === 1) press(key);
            else press(...key);
            clock.time += strokes[index]?.pause ?? 0;
          }
          press('enter');
          await settle();
          expect(answers).toEqual([]);
          const typed = keys.filter((key) => key !== 'enter').join('');
          expect([...sent, editor.text].join('').replaceAll(' ', '')).toBe(typed.replaceAll(' ', ''));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('says so, and is answered by an arrow and enter, while the text stays', async () => {
    proves('C-104');
    const { stage, clock, editor, press, ask, answers } = openDesk();
    press(...'also add');
    ask();
    expect(stage.shown().at(-1)).toBe(' You were typing; your text is kept. ↑↓ to choose, then enter');
    expect(stage.shown().filter((line) => line.startsWith(' >'))).toEqual([]);
    expect(stage.panel.draft).toBe('typed');
    clock.time = 60_000;
    press('enter', ...' 2 tests', 'enter', 'backspace');
    expect(editor.text).toBe('also add 2 test');
    clock.time = 70_000;
    press('down');
    expect(stage.shown()).toContain(' > Allow once');
    expect(stage.panel.draft).toBe('kept');
    press('enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
    expect(editor.text).toBe('also add 2 test');
  });

  it('goes back to the draft with the next character, and takes words only where they are asked for', async () => {
    proves('C-104');
    const { stage, clock, editor, press, ask, answers } = openDesk();
    press('a');
    ask();
    clock.time = 5_000;
    press('down', ...'y1', 'enter');
    await settle();
    expect(answers).toEqual([]);
    expect(editor.text).toBe('ay1');
    press('up', 'enter');
    expect(stage.shown()).toContain(' What should Robota do instead?');
    press(...'use npm', 'enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [2], text: 'use npm' }]);
    expect(editor.text).toBe('ay1');
  });

  it('turns to the question with escape, and a second escape declines; in vim escape stays with the draft', async () => {
    proves('C-104');
    const { clock, press, ask, answers } = openDesk();
    press('a');
    ask();
    clock.time = 5_000;
    press('escape');
    await settle();
    expect(answers).toEqual([]);
    press('escape');
    await settle();
    expect(answers).toEqual([{ kind: 'dismissed' }]);
    const vim = openDesk({ isVim: true });
    vim.press(...'ab');
    vim.ask();
    vim.clock.time = 5_000;
    vim.press('escape', '0', 'x', 'enter');
    await settle();
    expect(vim.answers).toEqual([]);
    expect(vim.editor.text).toBe('b');
  });

  it('follows another one without interrupting anything', async () => {
    proves('C-104');
    const { stage, clock, press, ask, answers } = openDesk();
    press('a');
    ask();
    ask({ kind: 'confirm', title: 'And this?' });
    clock.time = 5_000;
    press('down', 'enter');
    await settle();
    expect(answers).toHaveLength(1);
    expect(stage.panel.draft).toBeUndefined();
    clock.time = 6_000;
    press('n', 'enter');
    await settle();
    expect(answers.at(-1)).toEqual({ kind: 'confirmed', yes: false });
  });

  it('is answered as ever after the text was sent', async () => {
    proves('C-104');
    const { clock, sent, press, ask, answers } = openDesk();
    press(...'go', 'enter');
    expect(sent).toEqual(['go']);
    ask();
    clock.time = 400;
    press('enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
  });
});
