import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { Terminal } from './terminal.ts';
import {
  expectNothingWiped,
  expectOnceInOrder,
  expectScreen,
  hangingAnswer,
  keys,
  openShop,
  prompt,
  runEnd,
  sizes,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openShop);

const nobody = 'http://127.0.0.1:1/v1';

describe.each(sizes)('what a user sees at $columns×$rows', (size) => {
  const see = (name: string) => expectScreen(desk.terminal as Terminal, name, desk.stage);

  async function open(args: readonly string[] = []): Promise<Terminal> {
    return desk.open(args, size);
  }

  it('the first prompt, a run with its questions, and the history', async () => {
    proves('P-109', 'P-110', 'P-111', 'P-112', 'C-90', 'C-104');
    await desk.stage.file('cart.ts', `${lines(20, 'const old')}\n`);
    const command = `printf 'line %s\\n' 1 2 3 4 5 6; until [ -e go ]; do sleep 0.05; done`;
    const edit = {
      file_path: 'cart.ts',
      old_string: lines(6, 'const old'),
      new_string: lines(6, 'const new'),
    };
    desk.stage.server.reply(
      anthropicReply({
        thinking: { text: 'The tests come first.\n\nThen the total.', signature: 's' },
        text: 'I run the tests and look at the cart.',
        toolCalls: [
          { name: 'Read', input: { file_path: 'cart.ts' } },
          { name: 'Bash', input: { command } },
          { name: 'Edit', input: edit },
        ],
      }),
      anthropicReply({ text: answer }),
    );
    const tui = await open();
    await see('prompt');
    tui.type(`fix the failing test in cart${keys.enter}`);
    await tui.shows('── Run a command');
    await see('question-command');
    tui.type(keys.enter);
    await tui.shows('── Edit cart.ts');
    await see('question-edit');
    // If the change does not fit, enter scrolls to the rest before it allows anything.
    for (const rows of size.rows < 30 ? ['7-15 of 15'] : []) {
      tui.type(keys.enter);
      await tui.shows(rows);
    }
    tui.type(keys.enter);
    await tui.shows('    line 6');
    await see('running');
    await desk.stage.file('go', '');
    await tui.shows(/3 calls · /);
    await see('run-end');
    tui.type(keys.ctrlO);
    await tui.shows('History');
    await see('pager');
    tui.type('/line 2');
    tui.type(keys.enter);
    await see('pager-search');
    tui.type(keys.escape);
    tui.type('e');
    await see('pager-unfolded');
    tui.type('q');
    await tui.shows(prompt);
    await see('run-end');
    const all = await tui.screen();
    expectOnceInOrder(all, [
      '> fix the failing',
      '● I run the tests',
      '✓ Read cart.ts · 20 lines',
      '✓ $ printf',
      '✓ Edit cart.ts · +6 −6',
      '● The total',
      '3 calls · ',
    ]);
    expectNothingWiped(tui);
  });

  it('the screens and pickers', async () => {
    proves('P-122');
    desk.stage.server.reply(
      anthropicReply({
        toolCalls: [{ name: 'Write', input: { file_path: 'total.ts', content: 'const total = 2;\n' } }],
      }),
      anthropicReply({ text: 'It is two now.' }),
      anthropicReply({ text: 'You are welcome.' }),
    );
    // A title would come at any moment, and count as usage.
    await desk.stage.settings({ titles: false });
    const tui = await open(['--permission-mode', 'acceptEdits', 'make the total two']);
    await tui.shows(/1 call · /);
    tui.type(`thank you${keys.enter}`);
    await tui.shows(/You are welcome\.\n {2}\d/);
    const screens = [
      ['/context', 'Context', ''],
      ['/tree', 'Branches of', ''],
      ['/rewind', 'before which prompt', ''],
      ['/model', '── Model ', 'sonnet 4.6'],
      ['/resume', '── Resume ', ''],
      ['/theme', 'Theme', ''],
      ['/help', '── Help ', 'compact'],
      ['/keys', '── Help ', 'thinking'],
      ['/config', 'Settings', 'theme'],
      ['/usage', '14 days  ', ''],
    ] as const;
    for (const [command, title, search] of screens) {
      tui.type(command + keys.enter);
      await tui.shows(title);
      if (search !== '') tui.type(search);
      await see(`screen-${command.slice(1)}`);
      tui.type(keys.escape);
      await tui.shows(prompt);
    }
    await see('screens-left');
    expectNothingWiped(tui);
  });

  it('completion, commands of the user, and what is wrong with them', async () => {
    proves('C-37', 'C-43', 'P-113', 'P-117');
    for (const name of ['src/cart.ts', 'src/카트.ts', 'src/other.md', 'docs/a.md'])
      await desk.stage.file(name, 'x');
    const tui = await open();
    tui.type('/');
    await tui.shows('/help');
    await see('popup');
    tui.type('mod');
    await see('popup-narrowed');
    tui.type(`${keys.down}${keys.enter}`);
    await tui.shows('acceptEdits');
    await see('popup-nested');
    tui.type(`pl${keys.enter}`);
    await tui.shows('Permission mode: plan');
    tui.type('look at @src/c');
    await tui.shows('@src/cart.ts');
    await see('popup-files');
    tui.type(keys.tab);
    await tui.shows('> look at @src/cart.ts');
    tui.type(keys.ctrlU);
    await tui.shows(prompt);
    tui.type(`!echo begun; until [ -e go ]; do sleep 0.05; done; echo over; exit 3`);
    await tui.shows('exit 3');
    tui.type(keys.enter);
    await tui.shows('    begun');
    await see('shell-running');
    await desk.stage.file('go', '');
    await tui.shows('exit 3 ');
    tui.type(`/hlep${keys.enter}`);
    await tui.shows('Unknown command /hlep');
    await see('shell-and-unknown-command');
    expectNothingWiped(tui);
  });

  it('Korean, Chinese and emoji: written, broken into rows and answered', async () => {
    proves('C-101', 'C-102');
    desk.stage.server.reply(
      anthropicReply({
        text: `${'한국어 문장은 '.repeat(14)}끝.\n\n- 中文：${'你好，世界。'.repeat(12)}\n- 👩‍💻 👍🏽 🇰🇷`,
      }),
    );
    const tui = await open();
    tui.type('안녕하세요');
    await tui.shows('> 안녕하세요');
    // No blank line stands below the input: what an input method shows there falls on the border, and the foot is whole.
    expect((await tui.viewport())[3 + 1]).toMatch(/^─+$/);
    expect((await tui.viewport())[3 + 2]).toMatch(/^default · /);
    await expect.poll(() => tui.cursor()).toMatchObject({ column: 2 + 10 });
    tui.type(`你好${keys.left}${keys.backspace}👩‍💻`);
    await tui.shows('> 안녕하세요👩‍💻好');
    await see('cjk-editor');
    tui.type('가나다라마바사아자차카타파하'.repeat(5));
    await see('cjk-wrapped');
    tui.type(keys.enter);
    await tui.shows(runEnd);
    await see('cjk-answered');
    expect(
      desk.stage.messages(0)[0]?.content.find(({ text = '' }) => !text.startsWith('<reminder>'))?.text,
    ).toBe(`안녕하세요👩‍💻${'가나다라마바사아자차카타파하'.repeat(5)}好`);
    expectNothingWiped(tui);
  });

  it('trouble with the model, a queue, and an interrupted run', async () => {
    proves('P-118');
    desk.stage.server.reply(
      anthropicError(401, 'invalid x-api-key'),
      anthropicError(529, 'Overloaded', { headers: { 'retry-after': '40' } }),
      hangingAnswer(['Half of ', 'an answer']),
    );
    const tui = await open();
    tui.type(`hello${keys.enter}`);
    await tui.shows(/401[\s\S]*Set another\s/);
    tui.type(`again${keys.enter}`);
    await tui.shows('retry 1 of 5');
    expect(await tui.screen()).toMatch(
      /⟳ Anthropic is overloaded \(529\) · retry 1 of 5 in \d+s · esc cancel/,
    );
    tui.type(keys.escape);
    await tui.shows('Interrupted.');
    await see('errors');
    tui.type(`once more${keys.enter}`);
    await tui.shows('Half of an answer');
    tui.type(`and the docs${keys.enter}`);
    tui.type(`then publish it${keys.altEnter}`);
    await tui.shows(/next: and the docs[\s\S]*later: then publish it/);
    await see('queue');
    tui.type(keys.escape);
    await tui.shows(/an answer\n\n! Interrupted\./);
    await see('interrupted');
    expectNothingWiped(tui);
  });

  it('the first start of `robota` alone, without a key', async () => {
    proves('C-68', 'C-80');
    const servers = { OLLAMA_HOST: nobody, LMSTUDIO_BASE_URL: nobody, LLAMA_CPP_BASE_URL: nobody };
    const terminal = desk.start([], { ...size, env: { ANTHROPIC_API_KEY: '', ...servers } });
    await terminal.shows('Which model would you like to use?');
    await see('first-run');
    terminal.type(`9${keys.enter}`);
    await terminal.shows('Which language');
    await see('first-run-language');
    terminal.type(`de${keys.enter}`);
    await terminal.shows('of the answers: de');
    terminal.type(`7${keys.enter}`);
    await terminal.shows(/\n> Try[^\n]*\n─+\n[^\n]*\? help$/);
    await see('first-run-over');
    expectNothingWiped(terminal);
  });

  it('trust in items of a project, then the project', async () => {
    const hook = { hooks: [{ type: 'command', command: 'touch ran' }] };
    await desk.stage.file('.robota/settings.json', JSON.stringify({ hooks: { SessionStart: [hook] } }));
    await desk.stage.file('.git/HEAD', 'ref: refs/heads/main\n');
    const terminal = desk.start([], size);
    await terminal.shows('touch ran');
    await see('trust');
    terminal.type(keys.enter);
    await terminal.shows('ctx 0%');
    await see('trust-given');
    expectNothingWiped(terminal);
  });
});

const answer = [
  'The total left out the **tax**.\n\n',
  '```ts\nreturn sum * (1 + taxRate);\n```\n\n',
  '| before | after |\n|---|---|\n| 100 | 108 |\n\n',
  '1. It adds `taxRate` now.\n2. The tests pass.\n',
];

function lines(count: number, text: string): string {
  return Array.from({ length: count }, (_, index) => `${text}${index + 1} = ${index + 1};`).join('\n');
}
