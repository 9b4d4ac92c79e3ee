import type { Item, ToolItem } from '@robota-sdk/agent-sessions';
import { createRenderStyle, plainText } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import { foldReads } from './fold-reads.ts';
import type { ItemView } from './item-view.ts';
import { renderItem } from './render-item.ts';

const format = { view: 'compact', cwd: '/home/ada/shop', home: '/home/ada' } as const;

function drawn(items: readonly Item[], view: Partial<ItemView> = {}): string {
  const shown = foldReads(items);
  const lines = shown.flatMap((item, index) =>
    renderItem(item, {
      look: createRenderStyle(),
      columns: 80,
      format,
      isThinkingHidden: true,
      previous: index === 0 ? undefined : shown[index - 1],
      ...view,
    }),
  );
  return lines.map((line) => plainText(line).trimEnd()).join('\n');
}

function tool(more: Partial<ToolItem>): ToolItem {
  return { kind: 'tool', callId: 'x', name: 'Read', input: {}, state: 'done', output: '', ...more };
}

function command(text: string, more: Partial<ToolItem>): ToolItem {
  const { output = '', exitCode = 0 } = more;
  const display = { kind: 'terminal', command: text, output, exitCode: exitCode ?? null } as const;
  const input = { description: 'Says nothing of it', timeout: 5, command: text };
  return tool({ name: 'Bash', input, display, durationMs: 420, ...more });
}

function read(path: string, count = 3): ToolItem {
  const file = { kind: 'file', path, text: 'line\n'.repeat(count), firstLine: 1 } as const;
  return tool({ input: { limit: 5, file_path: path }, display: file });
}

describe('the compact view', () => {
  it('shows the telling argument of a call, whatever order its arguments have', () => {
    expect(drawn([command('ls src', { output: 'a\nb' })])).toBe('  ✓ $ ls src · 0.4s · 2 lines');
    expect(drawn([read('/home/ada/shop/src/cart.js')])).toBe('  ✓ Read src/cart.js · 3 lines');
    expect(drawn([read('/home/ada/notes.md')])).toBe('  ✓ Read ~/notes.md · 3 lines');
    expect(drawn([read('/etc/hosts')])).toBe('  ✓ Read /etc/hosts · 3 lines');
    const grep = tool({ name: 'Grep', input: { output_mode: 'content', pattern: 'tax' }, output: 'a\nb' });
    expect(drawn([grep])).toBe('  ✓ Grep tax · 2 lines');
    const mcp = tool({ name: 'mcp__github__create_issue', input: { labels: ['a'], repo: 'acme/shop' } });
    expect(drawn([mcp])).toBe('  ✓ github: create_issue acme/shop');
  });

  it('cuts a long path in its middle and keeps the name of the file', () => {
    const path = `/home/ada/shop/${'deep/'.repeat(30)}a-file-with-a-name.js`;
    const shown = drawn([read(path)], { columns: 60 });
    expect(shown).toMatch(/^ {2}✓ Read deep\/deep.*…\/a-file-with-a-name\.js · 3 lines$/);
    expect(shown.length).toBeLessThanOrEqual(60);
  });

  it('folds a long prompt behind the number of its hidden lines, and one row less than the fold takes never', () => {
    const prompt = (count: number) => {
      const text = Array.from({ length: count }, (_, index) => `row ${index + 1}`).join('\n');
      return drawn([{ kind: 'user', text }]).split('\n');
    };
    expect(prompt(41).at(-1)).toBe('row 41');
    expect(prompt(400).slice(-2)).toEqual(['row 40', '… 360 more lines']);
    const [first = '', ...rest] = drawn([{ kind: 'user', text: `${'word '.repeat(5000)}\nend` }]).split('\n');
    expect(first).toMatch(/^> word word/);
    expect(rest).toHaveLength(40);
    expect(rest.at(-1)).toBe('… 2 more lines');
    expect(drawn([{ kind: 'user', text: 'word '.repeat(5000) }], { columns: 400 })).toMatch(/… 1 more line$/);
  });

  it('leaves notes out, the longest first, before it cuts what was done', () => {
    const permission = { kind: 'session' } as const;
    const output = 'not ok 1\n'.padEnd(300, 'x\n');
    const failed = command('npm test', { state: 'failed', exitCode: 1, output, permission });
    const [full = ''] = drawn([failed], { columns: 100 }).split('\n');
    expect(full).toMatch(/^ {2}✗ \$ npm test {2}exit 1 · allowed in this session · 0\.4s · \d of \d+ lines$/);
    const [narrow = ''] = drawn([failed], { columns: 40 }).split('\n');
    expect(narrow).toBe('  ✗ $ npm test  exit 1 · 0.4s');
    const denied = { kind: 'declined', said: 'wait for the next release' } as const;
    const refused = command('npm publish --access public', { state: 'denied', permission: denied });
    expect(drawn([refused], { columns: 40 })).toMatch(/^ {2}⊘ \$ npm pub\S*…\S* public · denied: "w/);
  });

  it('folds consecutive reads and searches into one line, but never a failure', () => {
    const search = tool({ name: 'Grep', input: { pattern: 'x' }, output: 'a\nb' });
    const lost = tool({ input: { file_path: 'nothing.js' }, state: 'failed', output: 'Not found.' });
    expect(drawn([read('a.js'), search, read('b.js'), read('a.js'), lost, read('c.js')])).toBe(
      [
        '  ✓ Read 2 files, searched 1 pattern · 8 lines',
        '  ✗ Read nothing.js',
        '    Not found.',
        '  ✓ Read c.js · 3 lines',
      ].join('\n'),
    );
    const found = { kind: 'text', text: 'a.js\n  1: x', matches: 1 } as const;
    const counted = tool({ name: 'Grep', input: { pattern: 'x' }, output: 'a.js\n  1: x', display: found });
    const listed = tool({ name: 'Glob', display: { kind: 'list', items: ['a', 'b'], total: 2 } });
    expect(drawn([counted])).toBe('  ✓ Grep x · 1 match');
    expect(drawn([counted, read('a.js')])).toBe('  ✓ Read 1 file, searched 1 pattern · 3 lines, 1 match');
    expect(drawn([counted, listed])).toBe('  ✓ Searched 2 patterns · 3 matches');
    const whole = drawn([read('a.js'), search], { isWhole: true });
    expect(whole).toContain('  ✓ Read a.js · 3 lines\n    line\n    line\n    line\n  ✓ Grep x · 2 lines');
  });

  it('says in the line of a call why it failed, where a few words do', () => {
    const text = 'NotFound: "nothing.js" does not exist. Check the path, or use Glob to find it.';
    const display = { kind: 'text', text, brief: 'not found' } as const;
    const lost = tool({ input: { file_path: 'nothing.js' }, state: 'failed', output: text, display });
    expect(drawn([lost])).toBe('  ✗ Read nothing.js · not found');
    expect(drawn([lost], { isWhole: true })).toContain('Check the path, or');
  });

  it('shows the failing lines of a command, not its last ones', () => {
    const output = [
      '> test',
      'ok 1',
      'not ok 2 - tax',
      '  ---',
      '  duration_ms: 1.9',
      "  error: '200 == 216'",
      '  expected: 216',
      '  actual: 200',
      '  stack: |-',
      '    Test.run (node:internal/test_runner/test:796:25)',
      '  ...',
      'ok 3',
      '# fail 1',
    ];
    const failed = command('npm test', { state: 'failed', exitCode: 1, output: output.join('\n') });
    expect(drawn([failed])).toBe(
      [
        '  ✗ $ npm test  exit 1 · 0.4s · 3 of 13 lines',
        '    not ok 2 - tax',
        '      expected: 216',
        '      actual:   200',
      ].join('\n'),
    );
  });

  it('shows the error at the end of a traceback', () => {
    const frames = Array.from({ length: 12 }, (_, index) => `  File "a.py", line ${index}`);
    const output = ['Traceback (most recent call last):', ...frames, 'ValueError: no', 'done'].join('\n');
    const shown = drawn([command('python3 a.py', { state: 'failed', exitCode: 1, output })]);
    expect(shown).toContain('exit 1 · 0.4s · 8 of 15 lines');
    expect(shown).toMatch(/\n {4}ValueError: no$/);
  });

  it.each([
    ['node --test', 'TAP version 13\n# tests 2\n# pass 2\n# fail 0', 2],
    ['npm test', 'ℹ tests 7\nℹ pass 7\nℹ fail 0', 7],
    ['npx vitest run', ' Test Files  2 passed (2)\n      Tests  31 passed (31)\n   Duration  1s', 31],
    ['npx jest', 'Tests:       5 passed, 5 total\nTime: 1 s', 5],
    ['pytest', 'collected 12 items\n===== 12 passed in 0.12s =====', 12],
    ['cargo test', 'test result: ok. 3 passed; 0 failed\ntest result: ok. 4 passed; 0 failed', 7],
    ['npx mocha', '  a\n\n  9 passing (3ms)', 9],
  ])('counts the tests that pass in %s', (runner, output, count) => {
    expect(drawn([command(runner, { output })])).toBe(`  ✓ $ ${runner} · 0.4s · ${count} pass`);
  });

  it('shows the end of other commands', () => {
    expect(drawn([command('npm run build', { output: 'a\nb\nc\nd' })])).toBe(
      '  ✓ $ npm run build · 0.4s · 2 of 4 lines\n    c\n    d',
    );
    expect(drawn([command('touch x', { output: '(no output)' })])).toBe('  ✓ $ touch x · 0.4s');
    const omitted = { lines: 900, note: 'full text in /tmp/out.txt' };
    const long = { kind: 'terminal', command: 'make', output: 'a\nb\nc\nd', exitCode: 0, omitted } as const;
    expect(drawn([command('make', { display: long })])).toContain('2 of 904 lines');
    const failed = { state: 'failed', exitCode: 1, display: long } as const;
    expect(drawn([command('make', failed)])).toContain('4 of 904 lines');
  });

  it('shows a plan with the comments of the user, without the time the user took', () => {
    const display = {
      kind: 'plan',
      text: '1. Round once',
      outcome: 'presented',
      comments: 'Step 1: half-even',
    } as const;
    const plan = tool({
      name: 'ExitPlanMode',
      input: { plan: display.text },
      display,
      state: 'open',
      durationMs: 40_000,
    });
    expect(drawn([plan])).toBe(
      ['  ⊘ Plan not approved yet · 1 step', '    1. Round once', '', '    │ Step 1: half-even'].join('\n'),
    );
  });

  it('names what happened to a file, whatever tool did it, and says that plan mode refused a call', () => {
    const lines = [{ kind: 'removed', text: 'old', line: 1 }] as const;
    const path = '/home/ada/shop/src/money.js';
    const diff = (more: object) =>
      tool({ name: 'Move', input: { to: path }, display: { kind: 'diff', path, lines, ...more } });
    expect(drawn([diff({ change: 'delete', added: 0, removed: 48 })])).toBe('  ✓ Delete src/money.js · −48');
    const from = '/home/ada/shop/src/util.js';
    expect(drawn([diff({ change: 'rename', from, lines: [] })])).toBe(
      '  ✓ Rename src/util.js → src/money.js',
    );
    expect(drawn([diff({ change: 'create', lines: [], added: 12, removed: 0 })])).toMatch(
      /^ {2}✓ Create src\/money\.js · \+12/,
    );
    const none = { lines: [], added: 0, removed: 0 };
    expect(drawn([diff({ change: 'create', ...none })])).toBe('  ✓ Create src/money.js · empty');
    expect(drawn([diff({ change: 'edit', ...none })])).toBe('  ✓ Edit src/money.js · no change');
    const permission = { kind: 'mode', mode: 'plan' } as const;
    const refused = tool({
      name: 'Edit',
      input: { file_path: path },
      state: 'denied',
      output: 'Permission denied: no',
      permission,
    });
    expect(drawn([refused])).toBe('  ⊘ Edit src/money.js · plan mode');
  });

  it('strikes only what did not run', () => {
    const failed = command('false', { state: 'failed', exitCode: 1 });
    const denied = command('npm publish', { state: 'denied', output: 'Permission denied.' });
    const lines = (item: ToolItem) =>
      renderItem(item, { look: createRenderStyle(), columns: 80, format }).join('\n');
    expect(lines(failed)).not.toContain('\x1b[9m');
    expect(lines(denied)).toContain('\x1b[9mnpm publish\x1b[29m');
    const skipped = command('npm test', {
      state: 'skipped',
      output: 'Interrupted before it started; it did not run.',
      permission: { kind: 'skipped' },
    });
    expect(lines(skipped)).toContain('\x1b[9mnpm test\x1b[29m');
    expect(drawn([skipped])).toBe('  ⊘ $ npm test · did not run');
    expect(drawn([command('sleep 9', { state: 'stopped' })])).toBe('  ✗ $ sleep 9 · interrupted · 0.4s');
  });

  it('leaves the closing line out where nothing was done', () => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const end = (status: 'completed' | 'failed' | 'aborted', input = 0): Item => ({
      kind: 'run-end',
      outcome: { status, turns: 1, text: '', usage: { ...usage, input }, cost: 0, denials: [] },
      toolCount: 0,
      durationMs: 100,
    });
    expect(drawn([end('failed')])).toBe('');
    expect(drawn([end('failed', 9)])).toBe('  0.1s · 9 in, 0 out');
    expect(drawn([end('completed')])).toBe('  0.1s');
    expect(drawn([end('aborted')])).toBe('\n! Interrupted. Tell Robota what to do differently.');
  });

  it('leaves out of the closing line what does not fit, and cuts no price', () => {
    const usage = { input: 9000, output: 180, cacheRead: 0, cacheWrite: 0 };
    const outcome = { status: 'completed', turns: 1, text: '', usage, cost: 0.03, denials: [] } as const;
    const end: Item = { kind: 'run-end', outcome, toolCount: 3, durationMs: 3700 };
    expect(drawn([end])).toBe('  3 calls · 3.7s · 9K in, 180 out · $0.03');
    expect(drawn([end], { columns: 40 })).toBe('  3 calls · 3.7s · 9K in, 180 out');
    expect(drawn([end], { columns: 30 })).toBe('  3 calls · 3.7s');
  });

  it('keeps the answer of a command apart from calls that come after it', () => {
    const aside: Item = { kind: 'notice', level: 'info', text: '/btw what?\nThat.' };
    const shown = drawn([{ kind: 'answer', text: 'I run it.' }, aside, command('true', {})]);
    expect(shown).toBe('● I run it.\n\n/btw what?\nThat.\n\n  ✓ $ true · 0.4s');
    const text = '/btw what?\n# That\n\n- **one**\n\n```js\nlet a;\n```';
    const markdown: Item = { kind: 'notice', level: 'info', text, isMarkdown: true };
    expect(drawn([markdown, command('true', {})])).toBe(
      '/btw what?\nThat\n\n• one\n\n─── js\nlet a;\n\n  ✓ $ true · 0.4s',
    );
    const classic = drawn([markdown], { format: { ...format, view: 'classic' } });
    expect(classic).toContain(' /btw what?\n That\n\n • one');
  });

  it('says nothing of short thinking, one line of longer, and all of it where it is wanted', () => {
    const thinking = { kind: 'thinking', text: 'first\n\nthen' } as const;
    expect(drawn([{ ...thinking, durationMs: 2900 }])).toBe('');
    expect(drawn([{ ...thinking, durationMs: 21_000 }])).toBe('  Thought for 21s');
    expect(drawn([thinking], { isThinkingHidden: false })).toBe('  first\n\n  then');
    expect(drawn([thinking], { isHistory: true })).toBe('  Thought: first then');
  });

  it('puts a blank line before what is said and nowhere else', () => {
    const items: readonly Item[] = [
      { kind: 'user', text: 'go' },
      { kind: 'answer', text: 'I look.\n\nThen I write.' },
      command('true', {}),
      read('a.js'),
      { kind: 'answer', text: '# Done\n\n```js\nlet a;\n```' },
      { kind: 'user', text: 'thanks' },
    ];
    expect(drawn(items)).toBe(
      [
        '> go',
        '',
        '● I look.',
        '',
        'Then I write.',
        '  ✓ $ true · 0.4s',
        '  ✓ Read a.js · 3 lines',
        '',
        '● Done',
        '',
        '─── js',
        'let a;',
        '',
        '> thanks',
      ].join('\n'),
    );
  });

  it('gives notices a sign by their level', () => {
    const notice = (level: 'info' | 'warning' | 'error', text: string): Item => ({
      kind: 'notice',
      level,
      text,
    });
    expect(drawn([notice('error', 'Rejected.'), notice('warning', 'Wait.'), notice('info', 'Fine.')])).toBe(
      '✗ Rejected.\n! Wait.\n· Fine.',
    );
    const long = drawn([notice('warning', 'one two three four five')], { columns: 14 });
    expect(long).toBe('! one two\n  three four\n  five');
  });

  it('lists agents in columns', () => {
    const input = { prompt: 'look', description: 'Look at the tests', subagent_type: 'Explore' };
    const text = '2 tests cover total()\nmore';
    const agent = (more: { tokens: number; calls?: number; cost?: number }, durationMs: number) =>
      tool({ name: 'Agent', input, display: { kind: 'text', text, ...more }, durationMs });
    const agents = [
      agent({ tokens: 5200, calls: 4, cost: 0.021 }, 9000),
      agent({ tokens: 12_400, calls: 11, cost: 0.3 }, 31_000),
      agent({ tokens: 5200 }, 9000),
    ];
    expect(drawn(agents, { columns: 110 })).toBe(
      [
        '  ✓ Explore  Look at the tests         4 calls ·  5.2K tokens ·  $0.02 ·  9s  2 tests cover total()',
        '  ✓ Explore  Look at the tests        11 calls · 12.4K tokens ·  $0.30 · 31s  2 tests cover total()',
        '  ✓ Explore  Look at the tests         5.2K tokens ·  9s  2 tests cover total()',
      ].join('\n'),
    );
    expect(drawn(agents.slice(0, 1), { columns: 79 })).not.toContain('calls');
  });
});
