import { describe, expect, it } from 'vitest';
import { testStage } from './fixtures/test-stage.ts';
import { RuledList } from './ruled-list.ts';

/** A list of words on a stage; rows can be changed by the test. */
function openList(words: readonly string[]) {
  const stage = testStage();
  const state = { words, chosen: [] as string[], isClosed: false };
  const list = new RuledList<string>({
    stage,
    title: 'Words',
    note: () => `${state.words.length} words`,
    rows: () => state.words,
    keyOf: (word) => word,
    render: (word) => word,
    hints: () => [{ keys: 'enter', text: 'select' }],
    onSelect: (word) => state.chosen.push(word),
    onClose: () => {
      state.isClosed = true;
    },
  });
  stage.openScreen(list);
  return { stage, list, state };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `word ${index + 1}`);

describe('a ruled list', () => {
  it('has a title with a fact, rows with a cursor, and keys in the last line', () => {
    const { stage } = openList(['one', 'two']);
    expect(stage.lines(30, 10)).toEqual(['── Words ────────── 2 words ──', '❯ one', '  two', 'enter select']);
  });

  it('keeps the cursor in sight, and on its row when others come and go', () => {
    const { stage, state } = openList(numbers(20));
    for (let step = 0; step < 9; step++) stage.press('down');
    expect(stage.lines(30, 6)).toContain('❯ word 10');
    state.words = state.words.slice(5);
    expect(stage.lines(30, 6)).toContain('❯ word 10');
    stage.press('enter');
    expect(state.chosen).toEqual(['word 10']);
    state.words = ['last'];
    expect(stage.lines(30, 6)).toContain('❯ last');
    state.words = [];
    stage.press('enter');
    expect(state.chosen).toEqual(['word 10']);
  });

  it('asks in the last line; only enter says yes', () => {
    const { stage, list, state } = openList(['one']);
    let answers = 0;
    const ask = () => list.lastLine.ask({ text: 'Stop it?', verb: 'stop', onYes: () => answers++ });
    ask();
    expect(stage.lines(60, 6).at(-1)).toBe('Stop it? enter stop · esc cancel');
    stage.press('escape');
    expect([answers, state.isClosed]).toEqual([0, false]);
    ask();
    stage.press('enter');
    expect([answers, state.chosen]).toEqual([1, []]);
    stage.press('escape');
    expect(state.isClosed).toBe(true);
  });

  it('follows a text at its end until one scrolls up, and again at the end', () => {
    const { stage, list, state } = openList(['one']);
    let lines = numbers(10);
    list.read({ title: 'Log', note: () => 'running', lines: () => lines, isFollowed: true });
    const shown = () => stage.lines(40, 5).slice(1, -1);
    expect(shown()).toEqual(['word 8', 'word 9', 'word 10']);
    lines = numbers(12);
    expect(shown()).toEqual(['word 10', 'word 11', 'word 12']);
    stage.press('up');
    lines = numbers(14);
    expect(shown()).toEqual(['word 9', 'word 10', 'word 11']);
    for (let step = 0; step < 9; step++) stage.press('down');
    lines = numbers(15);
    expect(shown()).toEqual(['word 13', 'word 14', 'word 15']);
    stage.press('escape');
    expect(stage.lines(40, 5)[0]).toContain('Words');
    expect(state.isClosed).toBe(false);
  });
});
