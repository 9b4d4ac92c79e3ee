import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyEvent } from '../keys/key-event.ts';
import { cursorMark, plainText, textWidth } from '../text/styled-text.ts';
import { ConfirmPrompt } from './confirm-prompt.ts';
import { fuzzyMatch } from './fuzzy-match.ts';
import { createRenderStyle } from './render-style.ts';
import { SelectList, type SelectListOptions } from './select-list.ts';
import { type SettingItem, SettingsList } from './settings-list.ts';

const models = [
  { value: 'opus', label: 'opus', description: 'the largest' },
  { value: 'sonnet', label: 'sonnet', description: 'the one for most work' },
  { value: 'haiku', label: 'haiku', description: 'the fastest', group: 'small' },
  { value: '한국어', label: '한국어 모델', description: '설명', group: 'small' },
];

describe('SelectList', () => {
  it('aligns cells below each other, and lists rare items only when they are searched for', () => {
    const cells = (age: string, size: string) => [{ text: age, isRight: true }, { text: size }];
    const list = new SelectList({
      hasSearch: true,
      matching: 'fuzzy',
      items: [
        { value: 1, label: 'one', cells: cells('now', '') },
        { value: 2, label: 'second', cells: cells('yesterday', 'large'), keywords: 'hidden' },
        { value: 3, label: 'third', cells: cells('', 'largest of all'), isRare: true },
      ],
    });
    expect(shown(list, 40)).toEqual(['Search:', '❯ one           now', '  second  yesterday   large']);
    for (const letter of 'thi') list.handleInput(press(letter, letter));
    expect(shown(list, 40)).toEqual(['Search: thi', '❯ third  largest of all']);
    list.query = 'hidden';
    expect(shown(list, 40)).toEqual(['Search: hidden', '❯ second  yesterday   large']);
  });

  it('leaves a number out that does not fit, with all after it, and cuts only words', () => {
    const cells = [
      { text: '200K', isRight: true },
      { text: '$2 / $10', isRight: true },
      { text: 'Anthropic' },
    ];
    const list = new SelectList({ items: [{ value: 1, label: 'Sonnet', cells }] });
    expect(shown(list, 36)).toEqual(['❯ Sonnet  200K   $2 / $10   Anthrop…']);
    expect(shown(list, 25)).toEqual(['❯ Sonnet  200K   $2 / $10']);
    expect(shown(list, 24)).toEqual(['❯ Sonnet  200K']);
  });

  it('shows two columns and a line above each group', () => {
    proves('P-96');
    expect(shown(new SelectList({ items: models }), 40)).toEqual([
      '❯ opus         the largest',
      '  sonnet       the one for most work',
      'small',
      '  haiku        the fastest',
      '  한국어 모델  설명',
    ]);
  });

  it('goes round with the arrows past lines of groups, and tells of every change', () => {
    proves('P-96');
    const changes: string[] = [];
    const list = new SelectList({ items: models, onChange: ({ value }) => changes.push(value) });
    for (const key of ['down', 'down', 'down', 'down', 'up']) list.handleInput(press(key));
    expect(changes).toEqual(['sonnet', 'haiku', '한국어', 'opus', '한국어']);
  });

  it('narrows to what begins with the text, and tells what is selected then', () => {
    proves('P-96');
    const changes: string[] = [];
    const list = new SelectList({ items: models, onChange: ({ value }) => changes.push(value) });
    list.query = 'H';
    expect(list.found.map(({ value }) => value)).toEqual(['haiku']);
    expect(changes).toEqual(['haiku']);
    list.query = 'nothing';
    expect(list.selected).toBeUndefined();
    expect(list.handleInput(press('enter'))).toBe(true);
    expect(shown(list, 40)).toEqual(['  Nothing found']);
  });

  it('searches while typing, best matches first', () => {
    proves('P-96');
    const list = searching({ items: models, matching: 'fuzzy', hasSearch: true });
    for (const letter of 'one') list.handleInput(press(letter, letter));
    expect(list.found.map(({ value }) => value)).toEqual(['sonnet']);
    list.handleInput(press('backspace'));
    expect(list.query).toBe('on');
    list.handleInput({ type: 'paste', text: '\x1b[2J한\n' });
    expect(list.query).toBe('on한');
    expect(list.render(40)[0]).toBe(`Search: on한${cursorMark}`);
    list.handleInput(press('ctrl+u'));
    expect(list.found).toHaveLength(4);
  });

  it('takes with enter, leaves with escape, and lets other keys pass', () => {
    proves('P-96');
    const taken: string[] = [];
    const list = new SelectList({
      items: models,
      onSelect: ({ value }) => taken.push(value),
      onCancel: () => taken.push('cancelled'),
    });
    list.handleInput(press('enter'));
    list.handleInput({ ...press('enter'), action: 'release' });
    list.handleInput(press('escape'));
    expect(taken).toEqual(['opus', 'cancelled']);
    expect(list.handleInput(press('x', 'x'))).toBe(false);
  });

  it('scrolls, pages and counts in a long list, and skips what cannot be selected', () => {
    proves('P-96');
    const items = Array.from({ length: 100 }, (_, value) => ({
      value,
      label: `item ${value}`,
      isDisabled: value === 1,
    }));
    const list = new SelectList({ items, rows: 5 });
    list.handleInput(press('down'));
    expect(list.selected?.value).toBe(2);
    list.handleInput(press('pageDown'));
    expect(shown(list, 30)).toEqual(['  item 5', '  item 6', '❯ item 7', '  item 8', '  item 9', '  8/100']);
    for (let count = 0; count < 30; count++) list.handleInput(press('pageDown'));
    expect(list.selected?.value).toBe(99);
    list.handleInput(press('down'));
    expect(list.selected?.value).toBe(0);
  });

  it('keeps the selection when the items are exchanged', () => {
    proves('P-96');
    const list = new SelectList({ items: models });
    list.select('haiku');
    list.setItems([...models].reverse());
    expect(list.selected?.value).toBe('haiku');
  });

  it('fits any label into any width', () => {
    proves('P-96');
    const label = fc
      .array(fc.constantFrom('한', 'word ', '👩‍👩‍👧', '\x1b[31m', '\n', 'x'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(label, label)), fc.integer({ min: 20, max: 60 }), (labels, width) => {
        const items = labels.map(([name, description], value) => ({
          value,
          label: name,
          description,
          group: name,
        }));
        const list = searching({ items, hasSearch: true });
        for (const line of list.render(width)) {
          expect(textWidth(line.replaceAll(cursorMark, ''))).toBeLessThanOrEqual(width);
          expect(line).not.toContain('\n');
        }
      }),
    );
  });
});

describe('SettingsList', () => {
  const settings: readonly SettingItem[] = [
    { id: 'theme', label: 'Theme', value: 'dark', values: ['dark', 'light'], description: 'The colours' },
    { id: 'thinking', label: 'Thinking', value: 'off', values: ['off', 'low', 'high'] },
    {
      id: 'model',
      label: 'Model',
      value: 'opus',
      submenu: (_value, done) =>
        new SelectList({ items: models, onSelect: ({ value }) => done(value), onCancel: () => done() }),
    },
  ];

  it('shows values, goes through them and round the list', () => {
    proves('P-97');
    const changes: string[] = [];
    const list = new SettingsList({
      items: settings,
      onChange: (id, value) => changes.push(`${id}=${value}`),
    });
    expect(shown(list, 40)).toEqual([
      'Search:',
      '❯ Theme     dark',
      '  Thinking  off',
      '  Model     opus ▸',
      '',
      '  The colours',
    ]);
    for (const key of ['enter', 'right', 'left', 'down', 'left', 'space', 'down', 'down', 'space'])
      list.handleInput(press(key, key === 'space' ? ' ' : ''));
    expect(changes).toEqual([
      'theme=light',
      'theme=dark',
      'theme=light',
      'thinking=high',
      'thinking=off',
      'theme=dark',
    ]);
  });

  it('opens submenus, takes their value or leaves it', () => {
    proves('P-97');
    const changes: string[] = [];
    const list = new SettingsList({
      items: settings,
      onChange: (id, value) => changes.push(`${id}=${value}`),
    });
    for (const key of ['up', 'enter', 'down', 'enter']) list.handleInput(press(key));
    expect(changes).toEqual(['model=sonnet']);
    for (const key of ['enter', 'escape']) list.handleInput(press(key));
    expect(shown(list, 40)[3]).toBe('❯ Model     sonnet ▸');
  });

  it('searches while typing', () => {
    proves('P-97');
    const list = new SettingsList({ items: settings, onChange: () => undefined });
    for (const letter of 'mod') list.handleInput(press(letter, letter));
    expect(shown(list, 40)).toEqual(['Search: mod', '❯ Model  opus ▸']);
    list.handleInput(press('z', 'z'));
    expect(shown(list, 40)).toEqual(['Search: modz', '  Nothing found']);
    list.handleInput(press('ctrl+u'));
    for (const letter of 'th') list.handleInput(press(letter, letter));
    list.handleInput(press('down'));
    for (const letter of 'ink') list.handleInput(press(letter, letter));
    expect(list.selected?.id).toBe('thinking');
    list.handleInput(press('ctrl+u'));
    expect(list.selected?.id).toBe('thinking');
  });
});

describe('ConfirmPrompt', () => {
  it('offers yes and no, answers with arrows and enter, once', () => {
    proves('C-50');
    const answers: number[] = [];
    const prompt = new ConfirmPrompt({ message: 'Restart now?', onSelect: (index) => answers.push(index) });
    expect(shown(prompt, 40)).toEqual(['Restart now?', '❯ Yes', '  No']);
    for (const key of ['down', 'enter', 'enter']) prompt.handleInput(press(key));
    expect(answers).toEqual([1]);
  });

  it('takes y and n for two answers only', () => {
    proves('C-50');
    const answers: number[] = [];
    const onSelect = (index: number) => answers.push(index);
    new ConfirmPrompt({ message: 'Sure?', onSelect }).handleInput(press('n', 'n'));
    new ConfirmPrompt({ message: 'Sure?', onSelect }).handleInput(press('shift+y', 'Y'));
    const three = new ConfirmPrompt({ message: 'Which?', options: ['A', 'B', 'C'], onSelect });
    expect(three.handleInput(press('y', 'y'))).toBe(false);
    for (const key of ['up', 'enter']) three.handleInput(press(key));
    expect(answers).toEqual([1, 0, 2]);
  });

  it('lets nothing of the message reach the terminal', () => {
    proves('C-50');
    const prompt = new ConfirmPrompt({
      message: 'a\x1b[2Jb',
      options: ['\x1b]0;x\x07A', 'B'],
      onSelect: () => undefined,
    });
    expect(shown(prompt, 40)).toEqual(['ab', '❯ A', '  B']);
  });
});

describe('fuzzyMatch', () => {
  it('likes beginnings more than words, words more than parts, and parts more than letters', () => {
    proves('P-96');
    const texts = ['mode line', 'the mode', 'commode', 'm-o-d-e'];
    const scores = texts.map((text) => fuzzyMatch('mode', text) ?? Number.NaN);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect(new Set(scores).size).toBe(4);
    expect(fuzzyMatch('mode', 'edom')).toBeUndefined();
    expect(fuzzyMatch('line mo', 'mode line')).toBeDefined();
  });
});

function searching<Value>(options: SelectListOptions<Value>): SelectList<Value> {
  const list = new SelectList({ ...options, look: createRenderStyle({ isAscii: true }) });
  list.isFocused = true;
  return list;
}

function press(id: string, text = ''): KeyEvent {
  return { type: 'key', id, otherIds: [], text, action: 'press' };
}

function shown(component: { render(width: number): readonly string[] }, width: number): string[] {
  return component.render(width).map((line) =>
    plainText(line)
      .replaceAll(cursorMark, '')
      .replace(/(?<=\S) +$/, ''),
  );
}
