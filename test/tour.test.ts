import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';
import { expectModesOff, keys, sizes } from './tui.ts';

vi.setConfig({ testTimeout: 90_000 });

let root: string;
let terminal: Terminal | undefined;

beforeEach(async () => {
  root = await temporaryDirectory('tour-test');
  for (const name of ['home', 'cwd', 'tmp']) await mkdir(join(root, name));
});

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

/** Starts the command with an empty home, no settings and no key, where no local server answers. */
function start(args: readonly string[], env: Record<string, string> = {}): Terminal {
  const nowhere = 'http://127.0.0.1:1/v1';
  const servers = { OLLAMA_HOST: nowhere, LMSTUDIO_BASE_URL: nowhere, LLAMA_CPP_BASE_URL: nowhere };
  terminal = openTerminal(args, {
    cwd: join(root, 'cwd'),
    home: join(root, 'home'),
    ...sizes[0],
    // The compiled code of Node is kept elsewhere.
    env: { TMPDIR: join(root, 'tmp'), ...servers, ...env },
  });
  return terminal;
}

/** The text of a file in the project of the tour. */
async function projectFile(name: string): Promise<string> {
  const [tour = ''] = await readdir(join(root, 'tmp'));
  return readFile(join(root, 'tmp', tour, 'shop', name), 'utf8');
}

async function expectNothingLeft(): Promise<void> {
  for (const name of ['home', 'cwd', 'tmp']) expect(await readdir(join(root, name)), name).toEqual([]);
}

describe('the tour', () => {
  it('leads by the keyboard through streaming, permissions, a plan, rewind, the pager and a stored session', async () => {
    const tour = start(['demo'], { NO_COLOR: '1' });
    expect(await tour.shows('Press enter to send the prompt below.')).toMatch(
      /Tour 1 of 8 · Streaming ─+ scripted, not AI · esc leave[\s\S]*> Run the tests\. Why do they fail\?\n/,
    );
    expect(await projectFile('cart.js')).toContain('sum += item.price;');
    tour.type(keys.enter);
    await tour.shows('Tour 2 of 8');
    expect(await tour.shows('> Fix it')).toMatch(/✗ \$ node --test[\s\S]*✓ Read cart\.js[\s\S]*total adds/);
    tour.type(keys.enter);
    expect(await tour.shows('❯ 1  Allow once')).toMatch(
      /written only if you allow it[\s\S]*── Edit cart\.js/,
    );
    tour.type(`4${keys.enter}${keys.enter}`);
    await tour.shows('Nothing was written, because you did not allow it. Try again.');
    expect(await projectFile('cart.js')).toContain('sum += item.price;');
    tour.type(keys.enter);
    await tour.shows(/Try again\.[\s\S]*❯ 1 {2}Allow once|❯ 1 {2}Allow once/);
    tour.type(keys.enter);
    await tour.shows('Tour 3 of 8');
    expect(await tour.screen()).toMatch(/✓ Edit cart\.js · \+1 −1 · allowed once[\s\S]*✓ \$ node --test/);
    expect(await projectFile('cart.js')).toContain('sum += item.price * item.count;');
    tour.type(keys.enter);
    await tour.shows('Tour 4 of 8');
    expect(await tour.screen()).toContain('⊘ $ git push origin main · blocked by Bash(git push *)');
    tour.type(keys.enter);
    await tour.shows('❯ 1  Approve, and accept all edits');
    expect(await projectFile('cart.js')).not.toContain('discount');
    tour.type(keys.enter);
    await tour.shows('Tour 5 of 8');
    expect(await tour.screen()).toMatch(/✓ Plan approved[\s\S]*✓ \$ node --test[^\n]*3 pass/);
    expect(await projectFile('cart.js')).toContain('discount');
    tour.type(keys.enter);
    await tour.shows('Go back to before which prompt?');
    tour.type(keys.enter);
    await tour.shows('> Conversation and files');
    tour.type(keys.enter);
    await tour.shows('Tour 6 of 8');
    expect(await projectFile('cart.js')).not.toContain('discount');
    tour.type(keys.ctrlO);
    await tour.shows('q back');
    tour.type('q');
    await tour.shows('Tour 7 of 8');
    tour.type(keys.enter);
    await tour.shows('Tour 8 of 8');
    tour.type(keys.enter);
    await tour.shows(/Run the tests\. Why do they fail\? [^\n]*messages/);
    tour.type(keys.enter);
    await tour.shows('❯ 1  Remove everything');
    expect(await tour.screen()).toMatch(/Resumed[\s\S]*The tour is over/);
    tour.type(keys.enter);
    expect(await tour.exit).toBe(0);
    const end = (await tour.screen()).replaceAll('\n', '');
    expect(end).toMatch(/Removed \S+robota-tour-\w+; nothing remains of the tour\.Next: /);
    expectModesOff(tour);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(tour.raw).not.toMatch(/\u001b\[(?:3[0-7]|38;[\d;]+|48;[\d;]+)m/);
    await expectNothingLeft();
  });

  it('is left by esc before anything was said, and by the end of the process', async () => {
    const tour = start(['demo']);
    await tour.shows('> Run the tests.');
    tour.type(keys.escape);
    expect(await tour.exit).toBe(0);
    expect(await tour.screen()).toMatch(/Removed [\s\S]*Start again with robota demo\.$/);
    await expectNothingLeft();
    const other = start(['demo']);
    await other.shows('> Run the tests.');
    other.kill('SIGTERM');
    expect(await other.exit).not.toBe(0);
    await expectNothingLeft();
  });

  it('is left by esc while a command runs, and while a question is open', async () => {
    const tour = start(['demo']);
    await tour.shows('> Run the tests.');
    tour.type(keys.enter);
    await tour.shows('$ node --test');
    tour.type(keys.escape);
    expect(await tour.exit).toBe(0);
    await expectNothingLeft();
    const other = start(['demo']);
    await other.shows('> Run the tests.');
    other.type(keys.enter);
    await other.shows('> Fix it');
    other.type(keys.enter);
    await other.shows('❯ 1  Allow once');
    other.type(keys.escape);
    expect(await other.exit).toBe(0);
    await expectNothingLeft();
  });

  it('is offered at the first run, which comes back to its question, and is kept where that is wanted', async () => {
    const run = start([]);
    const [, number = ''] = /(\d) {2}Take the tour/.exec(await run.shows('esc cancel')) ?? [];
    run.type(`${number}${keys.enter}`);
    await run.shows('> Run the tests.');
    run.type(keys.escape);
    await run.shows(/Start again with robota demo\.[\s\S]*❯ 1 {2}/);
    run.type(keys.escape);
    expect(await run.exit).toBe(2);
    const tour = start(['demo', '--keep']);
    await tour.shows('> Run the tests.');
    tour.type(keys.escape);
    expect(await tour.exit).toBe(0);
    const [, kept = ''] = /Kept (\S+):/.exec(await tour.screen()) ?? [];
    expect(existsSync(join(kept, 'shop/cart.test.js'))).toBe(true);
  });
});
