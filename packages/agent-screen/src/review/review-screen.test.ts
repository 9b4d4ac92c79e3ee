import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { draftCount, readInput } from '@robota-sdk/agent-sdk/front-end';
import { createRenderStyle } from '@robota-sdk/agent-tui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { type TestStage, testStage } from '../screens/fixtures/test-stage.ts';
import { openScreenFor } from '../screens/screen-commands.ts';

const sessions: { shutdown(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.shutdown();
});

const cart = [
  'export function subtotal(items) {',
  '  return items.reduce((sum, { cents }) => sum + cents, 0);',
  '}',
  '',
  'export function total(items, taxRate) {',
  '  // bug: the tax is not applied',
  '  return subtotal(items);',
  '}',
  '',
].join('\n');
const edit = {
  file_path: 'src/cart.js',
  old_string: '  // bug: the tax is not applied\n  return subtotal(items);',
  new_string:
    '  // the tax is a rate such as 0.08\n  const sum = subtotal(items);\n  return sum * (1 + taxRate);',
};

/** A session that has edited one file and created another. */
async function openStage({ isAscii = false } = {}) {
  const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-test' });
  await place.put('src/cart.js', cart);
  const script = [
    callTurn('Read', { file_path: 'src/cart.js' }),
    callTurn('Edit', edit),
    callTurn('Write', { file_path: 'src/tax.js', content: 'export const RATE = 0.08;\n' }),
    { text: 'Done.' },
  ];
  const { session } = await openScripted(place, script, {
    store: 'new',
    permissionMode: 'bypassPermissions',
  });
  sessions.push(session);
  await session.submit('fix the total');
  return { place, session, stage: testStage({ session, look: createRenderStyle({ isAscii }) }) };
}

async function openFor(line: string, stage: TestStage): Promise<boolean> {
  const input = stage.session && readInput(stage.session, line);
  return input?.kind === 'command' && openScreenFor(input, stage);
}

const text = (stage: TestStage, width = 100, rows = 14) => stage.lines(width, rows).join('\n');

describe('/review', () => {
  it('shows the files beside a hunk, with counts and keys', async () => {
    const { stage } = await openStage();
    expect(await openFor('/review', stage)).toBe(true);
    await expect(text(stage)).toMatchFileSnapshot('fixtures/wide.txt');
  });

  it('shows the files first where it is narrow, and opens one', async () => {
    const { stage } = await openStage();
    await openFor('/review', stage);
    await expect(text(stage, 80)).toMatchFileSnapshot('fixtures/narrow-list.txt');
    stage.press('enter');
    await expect(text(stage, 80)).toMatchFileSnapshot('fixtures/narrow-hunk.txt');
    stage.press('escape');
    expect(text(stage, 80)).toContain('enter open');
    stage.press('escape');
    expect(stage.panel).toBeUndefined();
  });

  it('keeps a hunk and moves on, takes one back on disk, and applies it again', async () => {
    const { stage, place } = await openStage();
    await openFor('/review', stage);
    const read = () => readFile(join(place.cwd, 'src/cart.js'), 'utf8');
    const after = await read();
    stage.type('y');
    await vi.waitFor(() => expect(text(stage)).toMatch(/❯ src\/tax\.js/));
    expect(text(stage)).toContain('1 hunk, kept');
    stage.type('k');
    stage.type('u');
    await vi.waitFor(() => expect(text(stage)).toContain('1 hunk, taken back'));
    expect(await read()).toBe(cart);
    stage.type('y');
    await vi.waitFor(() => expect(text(stage)).toContain('1 hunk, kept'));
    expect(await read()).toBe(after);
  });

  it('refuses to take back in a file that changed since, and reviews it again', async () => {
    const { stage, place } = await openStage();
    await openFor('/review', stage);
    await writeFile(join(place.cwd, 'src/cart.js'), 'mine\n');
    text(stage);
    stage.type('u');
    await vi.waitFor(() =>
      expect(text(stage)).toContain("Can't take back: src/cart.js changed since. Review it again."),
    );
    stage.type('r');
    await vi.waitFor(() => expect(text(stage)).toContain('+ mine'));
  });

  it('keeps comments as drafts and sends them as one message', async () => {
    const { stage, session } = await openStage();
    await openFor('/review', stage);
    text(stage);
    stage.press('down', 'down', 'down');
    stage.type('v');
    stage.press('down');
    stage.type('c');
    stage.type('Round here');
    stage.press('shift+enter');
    stage.type('once.');
    expect(text(stage)).toContain('enter keep draft · shift+enter new line · esc cancel');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('1 comment'));
    await expect(text(stage)).toMatchFileSnapshot('fixtures/comment.txt');
    stage.press('escape');
    expect(stage.panel).toBeUndefined();
    await openFor('/changes', stage);
    expect(text(stage)).toContain('S send 1 comment');
    expect(text(stage, 60)).toContain('enter open · S send 1 comment · ? keys · esc close');
    stage.press('enter');
    expect(text(stage, 60)).toContain('y keep · u take back · S send 1 comment · ? keys · esc back');
    stage.type('S');
    await vi.waitFor(() => expect(stage.printed).toHaveLength(1));
    expect(stage.printed).toEqual([
      { kind: 'notice', level: 'info', text: 'Sent 1 comment (src/cart.js:7-8)' },
    ]);
    expect(stage.entered).toEqual([
      'A comment on the changes:\n\nsrc/cart.js:7-8\n>   const sum = subtotal(items);\n>   return sum * (1 + taxRate);\nRound here\nonce.',
    ]);
    expect(draftCount(session)).toBe(0);
  });

  it('edits a draft at its line, and removes it when it is empty', async () => {
    const { stage, session } = await openStage();
    await openFor('/review', stage);
    text(stage);
    stage.type('c');
    stage.type('x');
    stage.press('enter');
    await vi.waitFor(() => expect(text(stage)).toContain('1 comment'));
    stage.type('c');
    stage.press('backspace', 'enter');
    await vi.waitFor(() => expect(draftCount(session)).toBe(0));
    await vi.waitFor(() => expect(text(stage)).not.toContain('1 comment'));
    stage.type('S');
    expect(text(stage)).toContain('No comments to send.');
  });

  it('stands side by side on request', async () => {
    const { stage } = await openStage();
    await openFor('/review', stage);
    text(stage, 120);
    stage.type('s');
    expect(text(stage, 120)).toMatch(/6 - .*bug: the tax is not applied +│ +6 \+ .*the tax is a rate/);
  });

  it('fits into every size, in ASCII', async () => {
    const { stage } = await openStage({ isAscii: true });
    await openFor('/review', stage);
    for (const open of ['escape', 'enter'])
      for (const [columns, rows] of [
        [20, 24],
        [20, 4],
        [59, 10],
        [90, 5],
        [170, 40],
      ] as const) {
        if (open === 'enter') stage.press(open);
        for (const line of stage.lines(columns, rows)) expect(line).toMatch(/^[\x20-\x7e]*$/);
      }
  });
});

describe('/diff', () => {
  it('shows the same and decides nothing', async () => {
    const { stage, place, session } = await openStage();
    expect(await openFor('/diff', stage)).toBe(true);
    for (const letter of ['y', 'u', 'c', 'S']) stage.type(letter);
    expect(text(stage)).toContain('── Changes: this session');
    expect(text(stage)).toContain('j/k hunk · s side by side · ? keys · esc close');
    expect(await readFile(join(place.cwd, 'src/cart.js'), 'utf8')).toContain('taxRate);');
    expect([draftCount(session), stage.entered]).toEqual([0, []]);
  });

  it('leaves it to the command to say that there is nothing or that a revision is unknown', async () => {
    const { stage } = await openStage();
    expect(await openFor('/diff nothing..HEAD', stage)).toBe(false);
  });
});
