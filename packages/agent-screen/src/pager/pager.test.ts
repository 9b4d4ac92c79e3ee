import type { Item } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { createRenderStyle } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import { testStage } from '../screens/fixtures/test-stage.ts';
import { Pager } from './pager.ts';

const long = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');

function bash(command: string, output: string): Item {
  return { kind: 'tool', callId: command, name: 'Bash', input: { command }, state: 'done', output };
}

const items: readonly Item[] = [
  { kind: 'user', text: 'first question' },
  { kind: 'answer', text: 'first answer' },
  { kind: 'user', text: 'run the tests' },
  bash('npm test', long),
  { kind: 'thinking', text: 'let me think about apples' },
  { kind: 'answer', text: 'They pass. 한국어 답변도 있습니다.' },
];

function openOver(shown: readonly Item[], options: { isAscii?: boolean } = {}) {
  const stage = testStage({ look: createRenderStyle(options) });
  let isClosed = false;
  const pager = new Pager({
    items: shown,
    stage,
    onClose: () => {
      isClosed = true;
    },
  });
  stage.openScreen(pager);
  return { stage, pager, isClosed: () => isClosed };
}

describe('Pager', () => {
  it('opens at the end, shows whole outputs on enter and folds them again', () => {
    proves('P-121');
    const { stage } = openOver(items);
    const shown = stage.lines(80, 12);
    expect(shown[0]).toContain('History · 6 of 6');
    expect(shown.join('\n')).toContain('They pass.');
    expect(shown.at(-1)).toContain('/ search');
    stage.press('up', 'up');
    expect(stage.lines(80, 30).join('\n')).toMatch(/▸ .*✓ \$ npm test · 2 of 40 lines/);
    expect(stage.lines(80, 60).join('\n')).not.toContain('line 20');
    stage.press('enter');
    expect(stage.lines(80, 60).join('\n')).toContain('line 20');
    stage.press('enter');
    expect(stage.lines(80, 60).join('\n')).not.toContain('line 20');
    stage.type('e');
    expect(stage.lines(80, 60).join('\n')).toContain('line 20');
  });

  it('hides thinking and shows it again', () => {
    proves('P-121');
    const { stage } = openOver(items);
    expect(stage.lines().join('\n')).toContain('let me think');
    stage.press('ctrl+t');
    expect(stage.lines().join('\n')).toContain('Thought: let me think');
  });

  it('goes to both ends, by pages and from prompt to prompt, and never beyond', () => {
    const { stage } = openOver(items);
    stage.type('e');
    stage.lines(40, 10);
    stage.type('g');
    expect(stage.lines(40, 10)[1]).toContain('first question');
    stage.press('pageUp');
    expect(stage.lines(40, 10)[1]).toContain('first question');
    stage.type(']');
    expect(stage.lines(40, 10)[1]).toContain('run the tests');
    stage.type(']');
    expect(stage.lines(40, 10).at(-1)).toContain('No later prompt');
    stage.type('[');
    expect(stage.lines(40, 10)[1]).toContain('first question');
    stage.type('G');
    expect(stage.lines(40, 10)[8]).toContain('답변도');
    stage.press('pageDown');
    expect(stage.lines(40, 10)[8]).toContain('답변도');
    for (let key = 0; key < 200; key++) stage.press('up');
    expect(stage.lines(40, 10)[1]).toContain('first question');
    for (let key = 0; key < 200; key++) stage.press('down');
    expect(stage.lines(40, 10)[8]).toContain('답변도');
  });

  it('searches everything, unfolds what is hit, marks it and continues to the next and back', () => {
    const { stage, pager, isClosed } = openOver([...items, bash('again', 'line 33 of another')]);
    stage.lines(60, 12);
    stage.type('/LINE 33');
    stage.press('enter');
    expect(stage.lines(60, 12).at(-1)).toContain('was not found');
    stage.type('/line 33');
    expect(stage.lines(60, 12).at(-1)).toContain('/line 33');
    stage.press('enter');
    pager.rows = 12;
    expect(pager.render(60).join('\n')).toContain('\x1b[7mline 33\x1b[27m');
    expect(stage.lines(60, 12)[0]).toContain('"line 33" in 2');
    expect(stage.lines(60, 12)[0]).toContain('4 of 7');
    expect(stage.lines(60, 12).join('\n')).toMatch(/line 33$/m);
    stage.type('n');
    expect(stage.lines(60, 12)[0]).toContain('7 of 7');
    stage.type('N');
    expect(stage.lines(60, 12)[0]).toContain('4 of 7');
    stage.press('escape');
    expect(isClosed()).toBe(false);
    stage.press('escape');
    expect(isClosed()).toBe(true);
  });

  it('copies an item without what a terminal would obey', () => {
    const { stage } = openOver([...items, { kind: 'answer', text: 'safe \x1b[2Jtext' }]);
    stage.lines();
    stage.type('y');
    expect(stage.copied).toEqual(['safe text']);
    expect(stage.lines().at(-1)).toContain('Copied 1 line.');
  });

  it('draws only what is in sight of thousands of items', () => {
    let drawn = 0;
    const many = Array.from(
      { length: 5000 },
      (_, index): Item => ({ kind: 'user', text: `prompt ${index}` }),
    );
    const stage = testStage();
    const pager = new Pager({
      items: many,
      stage,
      onClose: () => {},
      render: (item) => {
        drawn++;
        return ['', ` ${item.kind === 'user' ? item.text : ''}`];
      },
    });
    stage.openScreen(pager);
    expect(stage.lines(80, 24)[22]).toContain('prompt 4999');
    expect(drawn).toBeLessThan(60);
    stage.type('g');
    stage.lines(80, 24);
    for (let page = 0; page < 50; page++) stage.press('pageDown');
    expect(pager.drawn).toBeLessThanOrEqual(64);
    stage.type('/prompt 2500');
    stage.press('enter');
    expect(stage.lines(80, 24).join('\n')).toContain('prompt 2500');
    expect(pager.drawn).toBeLessThanOrEqual(64);
  });

  it('keeps its place when the size changes, follows the end, and fits 20 columns in ASCII', () => {
    const { stage, pager } = openOver(items, { isAscii: true });
    stage.lines(80, 24);
    for (const [columns, rows] of [
      [20, 6],
      [20, 3],
      [21, 1],
      [120, 40],
    ] as const)
      for (const line of stage.lines(columns, rows)) expect(line).not.toMatch(/[▸│…·]/);
    pager.show([...items, { kind: 'answer', text: 'one more' }]);
    expect(stage.lines(40, 8).join('\n')).toContain('one more');
    stage.type('g');
    stage.lines(40, 8);
    pager.show([...items, { kind: 'answer', text: 'one more' }, { kind: 'answer', text: 'and more' }]);
    expect(stage.lines(40, 8)[1]).toContain('first question');
  });

  it('keeps what is at the top there when lines break at other places', () => {
    const words = Array.from({ length: 4000 }, (_, index) => `word${index}`).join(' ');
    const { stage } = openOver([{ kind: 'answer', text: words }, ...items]);
    stage.lines(80, 24);
    stage.type('/word2500');
    stage.press('enter');
    const top = /word\d+/.exec(stage.lines(80, 24)[1] ?? '')?.[0] ?? 'none';
    expect(stage.lines(120, 40)[1]).toContain(top);
    expect(stage.lines(31, 12).slice(1, 3).join(' ')).toContain(top);
    expect(stage.lines(120, 40).slice(1, 3).join(' ')).toContain(top);
  });

  it('reaches every item in sight by j and k, so that each can be unfolded', () => {
    const calls = Array.from({ length: 8 }, (_, index) => bash(`call ${index}`, long));
    const { stage } = openOver([{ kind: 'user', text: 'go' }, ...calls]);
    const reached = new Set<string>();
    for (let key = 0; key < 8; key++) {
      const pointed = stage.lines(80, 60).find((line) => line.startsWith('▸'));
      reached.add(/call \d/.exec(pointed ?? '')?.[0] ?? 'none');
      stage.type('k');
    }
    expect(reached.size).toBe(8);
    stage.type('j');
    stage.press('enter');
    expect(stage.lines(80, 60).join('\n')).toContain('line 20');
  });

  it('unfolds a long prompt, and says where there is no more', () => {
    proves('P-121');
    const { stage } = openOver([{ kind: 'user', text: `${long}\n${long}` }, ...items]);
    stage.lines(80, 60);
    stage.type('g');
    expect(stage.lines(80, 60).join('\n')).toMatch(/… \d+ more lines/);
    stage.press('enter');
    expect(stage.lines(80, 120).join('\n')).not.toMatch(/… \d+ more lines/);
    stage.type(']');
    stage.press('enter');
    expect(stage.lines(80, 60).at(-1)).toContain('Already shown in full.');
  });

  it('shows an empty conversation', () => {
    const { stage } = openOver([]);
    expect(stage.lines()[0]).toContain('no messages yet');
    stage.press('up', 'down', 'enter', 'pageUp');
    stage.type('gGyn');
    expect(stage.lines().length).toBe(24);
  });
});
