import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectScreen, keys, openShop, runEnd, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const cart = [
  '/** The lines of a cart. */',
  'export function subtotal(items) {',
  '  let sum = 0;',
  '  for (const { price, count } of items) {',
  '    sum += price * count;',
  '  }',
  '  // in cents',
  '  return sum;',
  '}',
  '',
  'export function total(items, taxRate) {',
  '  // bug: the tax is not applied',
  '  return subtotal(items);',
  '}',
  '',
  'export function discount(items, percent) {',
  '  return subtotal(items) * (1 - percent / 100);',
  '}',
  '',
].join('\n');

/** A test run that fails or passes by what the file says. */
const runner = [
  "const { readFileSync } = require('node:fs');",
  "const isFixed = readFileSync('src/cart.js', 'utf8').includes('1 + taxRate');",
  "console.log('TAP version 13');",
  'if (isFixed) {',
  "  console.log('ok 1 - total applies the tax\\nok 2 - discount\\n# tests 2\\n# pass 2\\n# fail 0');",
  '} else {',
  "  console.log('not ok 1 - total applies the tax\\n  expected: 216\\n  actual:   200');",
  "  for (let line = 1; line <= 39; line++) console.log('# more ' + line);",
  '}',
  'process.exit(isFixed ? 0 : 1);',
].join('\n');

/** The model fixes the total: it runs the tests, reads, edits, and runs them again. */
async function scriptFix(): Promise<void> {
  await desk.stage.file('src/cart.js', cart);
  await desk.stage.file('run-tests.cjs', runner);
  await desk.stage.file('.git/HEAD', 'ref: refs/heads/main\n');
  await desk.stage.settings({
    permissions: { defaultMode: 'acceptEdits', allow: ['Bash(node run-tests.cjs)'] },
  });
  const test = { name: 'Bash', input: { description: 'Run the tests', command: 'node run-tests.cjs' } };
  const edit = {
    replace_all: false,
    old_string: '  // bug: the tax is not applied\n  return subtotal(items);\n',
    new_string:
      '  // the tax is a rate such as 0.08\n  const sum = subtotal(items);\n  return sum * (1 + taxRate);\n',
    file_path: `${desk.stage.cwd}/src/cart.js`,
  };
  desk.stage.server.reply(
    anthropicReply({ text: "I'll run the tests first.", toolCalls: [test] }),
    anthropicReply({
      text: 'One test fails, because `total` ignores `taxRate`.',
      toolCalls: [{ name: 'Read', input: { limit: 40, file_path: `${desk.stage.cwd}/src/cart.js` } }],
    }),
    anthropicReply({ text: "I'll fix it.", toolCalls: [{ name: 'Edit', input: edit }] }),
    anthropicReply({ text: 'Now the tests again.', toolCalls: [test] }),
    anthropicReply({
      text: 'Done: total applies the tax now, and both tests pass. The rate is a fraction such as 0.08.',
    }),
  );
}

describe('the compact view', () => {
  it('shows a run that fixes a test in at most 35 rows, with its diff, the editor and the foot', async () => {
    await scriptFix();
    const tui = await desk.open([], { columns: 120, rows: 40 });
    tui.type(`fix the total${keys.enter}`);
    await tui.shows(/4 calls · /);
    await expectScreen(tui, 'compact-run', desk.stage);
    const rows = await tui.viewport();
    expect(rows.length - rows.findIndex((row) => row.startsWith('> fix'))).toBeLessThanOrEqual(35);
  });

  it('shows the same run when it is resumed, forked and looked up', async () => {
    await scriptFix();
    const tui = await desk.open([], { columns: 120, rows: 50 });
    tui.type(`fix the total${keys.enter}`);
    const live = runIn(await tui.shows(/4 calls · /));
    expect(live).toHaveLength(29);
    tui.type(`/fork${keys.enter}`);
    await tui.shows(/Forked|fork/);
    const forked = await tui.shows(/> fix the total[\s\S]*> fix the total[\s\S]*such as 0\.08\.\n/);
    expect(runIn(forked.slice(forked.lastIndexOf('> fix the total')))).toEqual(live);
    tui.type(keys.ctrlO);
    const history = await tui.shows('History');
    expect(runIn(history.replaceAll(/^[ ▸│]/gm, ''))).toEqual(live);
    tui.type(`q${keys.ctrlU}/exit${keys.enter}`);
    await tui.exit;
    const again = await desk.open(['-c'], { columns: 120, rows: 50 });
    expect(runIn(await again.shows('Resumed "fix the total (copy)"'))).toEqual(live);
  });

  it('lets a selection paste code, commands and prose as they were written', async () => {
    const code = [
      "curl -fsSL https://example.com/a/long/path/that/does/not/fit/into/one/row?with=a&query=string | tar -xz -C '/tmp/a folder' --strip-components=1",
      '',
      'if [ -e done ]; then',
      '    echo "indented by four"',
      'fi',
    ];
    const prose = 'Run this command, which takes a while on a slow machine.';
    desk.stage.server.reply(
      anthropicReply({
        text: [`${prose}\n\n\`\`\`sh\n`, ...code.map((line) => `${line}\n`), '```\n\nDone.'],
      }),
    );
    const tui = await desk.open([], { columns: 80, rows: 30 });
    tui.type(`how?${keys.enter}`);
    await tui.shows(runEnd);
    expect(await tui.copied('curl -fsSL', 'fi')).toBe(code.join('\n'));
    expect(await tui.copied('Run this', 'machine.')).toBe(prose);
    tui.resize(50, 30);
    await tui.shows(/─{50}\n> Ask/);
    expect(await tui.copied('curl -fsSL', 'fi')).toBe(code.join('\n'));
  });

  it('says first what was loaded, and suggests a prompt', async () => {
    await desk.stage.file('CLAUDE.md', 'Be brief.');
    await desk.stage.file(
      '.claude/skills/tidy/SKILL.md',
      '---\nname: tidy\ndescription: Tidies.\n---\nTidy.',
    );
    await desk.stage.file('.claude/commands/ship.md', 'Ship it.');
    const tui = await desk.open([], { columns: 80, rows: 24 });
    await expectScreen(tui, 'compact-start', desk.stage);
    tui.type('x');
    await tui.shows(/\n> x\n/);
    const narrow = await desk.open([], { columns: 40, rows: 24 });
    await expectScreen(narrow, 'compact-start', desk.stage);
  });

  it('folds reads into one line while they happen, and says how a call was answered', async () => {
    for (const name of ['a.ts', 'b.ts']) await desk.stage.file(name, 'const tax = 1;\n');
    const read = (file: string) => ({ name: 'Read', input: { file_path: file } });
    const publish = { name: 'Bash', input: { command: 'npm publish' } };
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [read('a.ts'), { name: 'Grep', input: { pattern: 'tax' } }] }),
      anthropicReply({ toolCalls: [read('b.ts')] }),
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] }),
      anthropicReply({ toolCalls: [publish] }),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await desk.open([], { columns: 100, rows: 30 });
    tui.type(`look${keys.enter}`);
    await tui.shows('Allow once');
    tui.type(keys.enter);
    await tui.shows(/npm publish[\s\S]*Allow once/);
    tui.type('wait for the release');
    await tui.shows('wait for the release');
    tui.type(keys.enter);
    await tui.shows(runEnd);
    await expectScreen(tui, 'compact-answers', desk.stage);
  });

  it('follows the setting while it runs', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'One.' }), anthropicReply({ text: 'Two.' }));
    const tui = await desk.open([], { columns: 80, rows: 30 });
    tui.type(`first${keys.enter}`);
    await tui.shows(/● One\./);
    tui.type(`/config set view classic${keys.enter}`);
    await tui.shows(/ default · .*msgs/);
    tui.type(`second${keys.enter}`);
    await tui.shows(/ Robota:\n\n {3}Two\.\n/);
  });
});

/** The rows of the run, without times. */
function runIn(screen: string): readonly string[] {
  const rows = screen.split('\n').map((row) => row.trimEnd());
  const first = rows.findIndex((row) => row.startsWith('> fix the total'));
  const last = rows.findLastIndex((row) => row.startsWith('● Done: '));
  return rows.slice(first, last + 1).map((row) => row.replaceAll(/\d+\.\d+s/g, '0s'));
}
