import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildQuestion, interruptingQuestions, openTypingStage } from './fixtures/typing-stage.ts';

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
  it('is never answered by the rest of the sentence or its enter, and no character is lost', async () => {
    proves('C-104');
    await fc.assert(
      fc.asyncProperty(
        fc.array(stroke, { minLength: 2, maxLength: 40 }),
        fc.nat(),
        fc.constantFrom(...interruptingQuestions),
        async (strokes, place, question) => {
          const { clock, editor, sent, press, ask, answers } = openTypingStage();
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

  it('says so, leaves enter to the text, and is answered after tab, an arrow and enter', async () => {
    proves('C-104');
    const { stage, clock, editor, sent, press, ask, answers } = openTypingStage();
    press(...'also add');
    ask();
    expect(stage.shown().at(-1)).toBe('You were typing. enter send your text · tab answer the question');
    expect(stage.shown().filter((line) => line.startsWith('❯'))).toEqual([]);
    expect(stage.panel.draft).toBe('typed');
    clock.time = 60_000;
    press(...' 2 tests', 'backspace', 'tab');
    expect(editor.text).toBe('also add 2 test');
    expect(stage.panel.draft).toBe('kept');
    expect(stage.shown().filter((line) => line.startsWith('❯'))).toEqual([]);
    press('enter');
    await settle();
    expect(answers).toEqual([]);
    press('down');
    expect(stage.shown()).toContain('❯ 1  Allow once');
    press('tab', ...'s', 'tab', 'enter', 'down', 'enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
    expect(editor.text).toBe('also add 2 tests');
    expect(sent).toEqual([]);
  });

  it('begins at the denial of a dangerous command, whichever arrow comes first', async () => {
    proves('C-104');
    const danger = { part: 'rm -rf ~', effect: 'deletes outside the workspace', marks: ['rm -rf ~'] };
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: { command: 'rm -rf ~' } } as const;
    const about = { call, access: [], reason: '', rules: [], holds: ['once', 'session', 'deny'] as const };
    for (const arrow of ['up', 'down']) {
      const { stage, clock, press, ask } = openTypingStage();
      press('a');
      ask({ ...buildQuestion, about: { ...about, dangers: [danger] } });
      clock.time = 5_000;
      press('tab', arrow);
      expect(stage.shown().filter((line) => line.startsWith('❯'))).toEqual([
        '❯ 3  Deny, and say what to do instead',
      ]);
    }
  });

  it('has the keys once the text was sent, but enter answers only after an arrow or a late digit', async () => {
    proves('C-104');
    const { stage, clock, editor, sent, press, ask, answers } = openTypingStage();
    press(...'also');
    ask();
    press('enter');
    expect(sent).toEqual(['also']);
    expect(stage.panel.draft).toBe('kept');
    clock.time = 60_000;
    press('enter', '2');
    expect(stage.shown()).toContain('❯ 2  Allow npm run build in this session');
    press(...' tests');
    expect(editor.text).toBe('2 tests');
    expect(stage.panel.draft).toBe('typed');
    press('enter');
    expect(stage.panel.draft).toBe('kept');
    clock.time = 120_000;
    press('2', 'enter');
    await settle();
    expect(sent).toEqual(['also', '2 tests']);
    expect(answers).toEqual([{ kind: 'selected', indexes: [1] }]);
  });

  it('takes words for a denial once it has the keys, also those that begin with a digit', async () => {
    proves('C-104');
    const { stage, clock, editor, press, ask, answers } = openTypingStage();
    press('a');
    ask();
    clock.time = 5_000;
    press('tab', ...'2 files, please');
    expect(stage.shown()).toContain('❯ 2 files, please');
    press('enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [2], text: '2 files, please' }]);
    expect(editor.text).toBe('a');
  });

  it('turns to the question with escape, and a second escape declines; in vim escape stays with the draft', async () => {
    proves('C-104');
    const { clock, press, ask, answers } = openTypingStage();
    press('a');
    ask();
    clock.time = 5_000;
    press('escape');
    await settle();
    expect(answers).toEqual([]);
    press('escape');
    await settle();
    expect(answers).toEqual([{ kind: 'dismissed' }]);
    const vim = openTypingStage({ isVim: true });
    vim.press(...'ab');
    vim.ask();
    vim.clock.time = 5_000;
    vim.press('escape', '0', 'x');
    await settle();
    expect(vim.answers).toEqual([]);
    expect(vim.editor.text).toBe('b');
  });

  it('keeps the keys where it follows another one, with no row selected while there is a draft', async () => {
    proves('C-104');
    const { stage, clock, press, ask, answers } = openTypingStage();
    press('a');
    ask();
    ask({ kind: 'confirm', title: 'And this?' });
    clock.time = 5_000;
    press('tab', 'down', 'enter');
    await settle();
    expect(answers).toHaveLength(1);
    expect(stage.panel.draft).toBe('kept');
    clock.time = 6_000;
    press('enter');
    await settle();
    expect(answers).toHaveLength(1);
    press('n', 'enter');
    await settle();
    expect(answers.at(-1)).toEqual({ kind: 'confirmed', yes: false });
  });

  it('is answered at once after the prompt of the run was sent, but not within half a second', async () => {
    proves('C-104');
    const { stage, clock, sent, press, ask, answers } = openTypingStage({ isIdle: true });
    press(...'go', 'enter');
    expect(sent).toEqual(['go']);
    ask();
    expect(stage.shown()).toContain('❯ 1  Allow once');
    clock.time = 400;
    press('enter');
    await settle();
    expect(answers).toEqual([]);
    clock.time = 1_000;
    press('enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
  });

  it('leaves the first letters to the editor where the user begins to type as it appears', async () => {
    proves('C-104');
    const { stage, clock, editor, press, ask, answers } = openTypingStage();
    clock.time = 10_000;
    ask();
    clock.time = 10_200;
    press(...'yes');
    clock.time = 20_000;
    expect(editor.text).toBe('yes');
    expect(stage.panel.draft).toBe('typed');
    await settle();
    expect(answers).toEqual([]);
  });

  it('ignores the last keys for the screen or picker that it interrupted, until there is a pause', async () => {
    proves('C-104');
    for (const question of interruptingQuestions)
      for (const pause of [20, 150, 450]) {
        const { stage, clock, editor, sent, press, ask, answers } = openTypingStage();
        clock.time = 10_000;
        ask(question);
        stage.panel.keysElsewhere?.(clock.time - 300);
        for (const key of ['y', 'enter', '1', 'enter', 'down', 'enter', 'escape', 'space', 'enter', 'q']) {
          clock.time += pause;
          press(key);
        }
        await settle();
        expect({ answers, sent, draft: editor.text }).toEqual({ answers: [], sent: [], draft: '' });
      }
  });

  it('has no row selected where it interrupted a screen, and is answered after an arrow', async () => {
    proves('C-104');
    const { stage, clock, press, ask, answers } = openTypingStage();
    clock.time = 10_000;
    ask();
    stage.panel.keysElsewhere?.(9_900);
    expect(stage.shown().filter((line) => line.startsWith('❯'))).toEqual([]);
    clock.time = 15_000;
    press('enter');
    await settle();
    expect(answers).toEqual([]);
    press('down', 'enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
  });

  it('ignores a second enter that comes with it when the shell continues the program', async () => {
    proves('C-104');
    const { stage, clock, press, ask, answers } = openTypingStage();
    ask();
    clock.time = 30_000;
    stage.panel.keysElsewhere?.(clock.time);
    expect(stage.shown()).toContain('❯ 1  Allow once');
    clock.time += 300;
    press('enter');
    clock.time += 400;
    press('enter');
    await settle();
    expect(answers).toEqual([]);
    clock.time += 1_000;
    press('1', 'enter');
    await settle();
    expect(answers).toEqual([{ kind: 'selected', indexes: [0] }]);
  });

  it('names no digits while they would begin another text', () => {
    const { stage, clock, press, ask } = openTypingStage();
    press(...'also');
    ask();
    press('enter');
    expect(stage.shown().at(-1)).toBe('up/down choose · esc cancel');
    clock.time = 1_000;
    press('1');
    expect(stage.panel.draft).toBe('typed');
  });
});
