import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { keys } from './tui.ts';

it('shows a run of the fleet as a table with questions, and takes keys for all that its commands do', async () => {
  const home = await temporaryDirectory('robota-home');
  const cwd = join(await temporaryDirectory('robota-repo'), 'shop');
  execFileSync('git', ['init', '-q', cwd]);
  const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' });
  await writeFile(join(cwd, 'a.txt'), 'a\n');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'first');
  const fields = { model: 'offline', sandbox: 'off' };
  const tasks = [
    { ...fields, name: 'add rates', prompt: 'create rates.txt with the text "1"' },
    { ...fields, name: 'upgrade eslint', prompt: 'run touch asked' },
    { ...fields, name: 'slow', prompt: 'run sleep 1000', permissions: { allow: ['Bash(sleep *)'] } },
    { ...fields, name: 'remove the cart', prompt: 'help', check: 'exit 3', after: ['add rates'] },
  ];
  const input = tasks.map((task) => JSON.stringify(task)).join('\n');
  const added = await runRobota(['fleet', 'add', '--from', '-'], { cwd, home, input });
  const ids = added.stdout.trim().split('\n');
  await runRobota(['fleet', 'cost', '--daily', '50'], { cwd, home });
  await giveDatabase(join(home, '.robota'));
  const terminal = openTerminal(['fleet', 'run', '--jobs', '2'], { cwd, home, columns: 120, rows: 20 });
  const seen = async (text: string | RegExp) => {
    await shows(terminal, text);
    return rowsOf(terminal, ids);
  };
  // A terminal that is narrowed while the program is busy breaks the row above the table itself.
  const table = async (text: RegExp) => (await seen(text)).slice(-7);
  // At once, long before the database is open.
  expect((await seen('Fleet'))[0]).toMatch(/^Fleet {2}shop · 0 of 2 slots/);
  expect(await seen(/1 running, 1 parked, 1 done, 1 failed .* today · .*s\n.*\n.*\n.*Bash\(sleep/)).toEqual([
    'Fleet  shop · 1 of 2 slots · 1 running, 1 parked, 1 done, 1 failed · $0.00 of $50.00 today · TIME',
    '  ID            TASK                           STATE        STEP                                   TURNS    COST    TIME',
    '❯ id-2          upgrade eslint                 ◷ parked     asks: Bash(touch asked)                    1   $0.00    TIME',
    '  id-3          slow                           ⟳ running    Bash(sleep 1000)                           1   $0.00    TIME',
    '  id-4          remove the cart                ✗ failed     The check fails on the untouched bas…      0   $0.00    TIME',
    '  id-1          add rates                      ✓ done       robota/id-1        -add-rates +1           2   $0.00    TIME',
    'enter follow · a answer id-2         · x stop task · tab done and failed · esc stop',
  ]);
  terminal.resize(80, 20);
  expect(await table(/COST {4}TIME\n.*\n.*\n.*\n.*\nenter follow · a answer · x stop task/)).toEqual([
    'Fleet  shop · 1 running, 1 parked, 1 done, 1 failed · $0.00 of $50.00 today',
    '  ID            TASK            STATE        STEP                   COST    TIME',
    '❯ id-2          upgrade eslint  ◷ parked     asks: Bash(touch a…   $0.00    TIME',
    '  id-3          slow            ⟳ running    Bash(sleep 1000)      $0.00    TIME',
    '  id-4          remove the ca…  ✗ failed     The check fails on…   $0.00    TIME',
    '  id-1          add rates       ✓ done       robota/…dd-rates +1   $0.00    TIME',
    'enter follow · a answer · x stop task · tab done and failed · esc stop',
  ]);
  terminal.resize(40, 20);
  expect(await table(/ID {15}TASK\n/)).toEqual([
    '1 running, 1 parked, 1 done, 1 failed',
    '  ID               TASK',
    '❯ id-2          ◷  upgrade eslint',
    '  id-3          ⟳  slow',
    '  id-4          ✗  remove the cart',
    '  id-1          ✓  add rates',
    'enter follow · a answer · esc stop',
  ]);
  terminal.resize(120, 20);
  await seen('STEP');
  terminal.send(keys.escape);
  expect((await seen('esc stay')).at(-1)).toBe(
    '1 task is running. enter finish it and end · s stop now, resume later · d continue in the background · esc stay',
  );
  terminal.send(keys.escape);
  await seen('esc stop');
  terminal.send(`${keys.down}x`);
  expect((await seen('enter stop')).at(-1)).toBe('Stop id-3         slow? enter stop · esc stay');
  terminal.send('n');
  await seen('esc stop');
  terminal.send('\t');
  expect((await seen('r retry')).slice(-3, -1)).toEqual([
    expect.stringMatching(/^❯ id-4 .*failed/),
    expect.stringMatching(/^ {2}id-1/),
  ]);
  terminal.send(`${keys.down}${keys.enter}`);
  expect(await seen('Attempt 1 (delivered)')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^── id-1 {9}add rates ─+ done · 2 turns · \$0\.00 ──$/),
      '> create rates.txt with the text "1"',
      '  ✓ Create rates.txt · +1',
      '  Changed      1 file, +1',
    ]),
  );
  terminal.send(keys.escape);
  await seen('tab queued');
  terminal.send('\ta');
  expect((await seen('Allow once')).slice(-6)).toEqual([
    expect.stringMatching(/^── id-2 {9}upgrade eslint ─+$/),
    'Bash(touch asked)',
    expect.stringMatching(/^. Allow once/),
    expect.stringMatching(/^ {2}Deny/),
    expect.stringMatching(/^ {2}Deny, and say what to do instead/),
    'enter select · esc cancel',
  ]);
  terminal.send(keys.enter);
  await seen('2 done');
  terminal.send('\t');
  await seen('tab done and failed');
  terminal.send(keys.up.repeat(5));
  await seen(/❯ \w{12} {2}slow/);
  terminal.send('x');
  await seen('enter stop');
  terminal.send(keys.enter);
  expect(await terminal.exit).toBe(1);
  expect((await rowsOf(terminal, ids)).slice(-6)).toEqual([
    expect.stringMatching(/^ {2}ID {12}TASK/),
    expect.stringMatching(/^ {2}id-1 .* ✓ done {7}robota\/id-1 {8}-add-rates \+1 /),
    expect.stringMatching(/^ {2}id-4 .* ✗ failed/),
    expect.stringMatching(/^ {2}id-2 .* ✓ done {7}robota\/id-2 {8}-upgrade-eslint/),
    expect.stringMatching(/^ {2}id-3 .* ⊘ stopped {4}Stopped by the user\./),
    expect.stringMatching(
      /^2 done, 1 failed, 1 stopped · \$0\.00 · TIME · robota fleet list --state failed,stopped$/,
    ),
  ]);
  expect(git('show', `robota/${ids[1]}-upgrade-eslint:asked`)).toBe('');
});

/** Waits as long as a busy machine needs. */
async function shows(terminal: Terminal, text: string | RegExp): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const shown = await terminal.shows(text).catch(() => undefined);
    if (shown !== undefined) return;
  }
  await terminal.shows(text);
}

/** The rows in sight; ids and times are others in each run. */
async function rowsOf(terminal: Terminal, ids: readonly string[]): Promise<readonly string[]> {
  return (await terminal.viewport()).map((row) =>
    ids
      .reduce((text, id, index) => text.replaceAll(id, `id-${index + 1}`.padEnd(id.length)), row)
      .replace(/(?<= · )(?:\d+m)?\d+s(?= ·|$)/, 'TIME')
      .replace(/ {2,}(?:\d+m)?\d+s *$/, '    TIME')
      .trimEnd(),
  );
}
