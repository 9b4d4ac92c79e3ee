import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isRecording,
  lightPictures,
  missingMoments,
  pictures,
  recordingSize,
  recordTour,
} from './recording/tour-recording.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';
import { expectModesOff, keys, sizes } from './tui.ts';

const trueColours = { COLORTERM: 'truecolor' };
const onDark = { ...recordingSize, env: { ...trueColours, COLORFGBG: '15;0' } };
const onLight = { ...recordingSize, env: { ...trueColours, COLORFGBG: '0;15' } };

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
function start(args: readonly string[], options: Partial<TerminalOptions> = {}): Terminal {
  const nowhere = 'http://127.0.0.1:1/v1';
  const servers = { OLLAMA_HOST: nowhere, LMSTUDIO_BASE_URL: nowhere, LLAMA_CPP_BASE_URL: nowhere };
  terminal = openTerminal(args, {
    cwd: join(root, 'cwd'),
    home: join(root, 'home'),
    ...sizes[0],
    ...options,
    env: { TMPDIR: join(root, 'tmp'), ...servers, ...options.env },
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

/** Presses keys, and notes where; a recording gives the program time for what it paints late. */
function presser(tour: Terminal) {
  const marks: number[] = [];
  const press = async (pressed: string) => {
    if (isRecording) await setTimeout(1_500);
    marks.push(tour.raw.length);
    tour.type(pressed);
  };
  /** Enter counts half a second after a question appeared. */
  const answer = async (pressed: string) => {
    await setTimeout(700);
    await press(pressed);
  };
  return { press, answer, log: () => ({ ...recordingSize, raw: tour.raw, marks }) };
}

describe('the tour', () => {
  it('leads by the keyboard through streaming, permissions, a plan, rewind, the pager and a stored session', async () => {
    const tour = start(['demo'], onDark);
    const { press, answer, log } = presser(tour);
    expect(await tour.shows('Press enter to send the prompt below.')).toMatch(
      /Tour 1 of 8 · Streaming ─+ scripted, not AI · esc leave[\s\S]*> Run the tests\. Why do they fail\?\n/,
    );
    expect(await projectFile('cart.js')).toContain('sum += item.price;');
    await press(keys.enter);
    await tour.shows('Tour 2 of 8');
    expect(await tour.shows('> Fix it')).toMatch(/✗ \$ node cart\.test\.js[\s\S]*✓ Read cart\.js/);
    await press(keys.enter);
    expect(await tour.shows('❯ 1  Allow once')).toMatch(
      /written only if you allow it[\s\S]*── Edit cart\.js/,
    );
    await answer(keys.enter);
    await tour.shows('Tour 3 of 8');
    expect(await tour.screen()).toMatch(/✓ Edit cart\.js · \+1 −1 · allowed once[\s\S]*✓ \$ node cart/);
    expect(await projectFile('cart.js')).toContain('sum += item.price * item.count;');
    await press(keys.enter);
    await tour.shows('Tour 4 of 8');
    expect(await tour.screen()).toContain('⊘ $ git push origin main · blocked by Bash(git push *)');
    await press(keys.enter);
    await tour.shows('❯ 1  Approve, and accept all edits');
    expect(await projectFile('cart.js')).not.toContain('discount');
    await answer(keys.enter);
    await tour.shows('Tour 5 of 8');
    expect(await tour.screen()).toMatch(/✓ Plan approved[\s\S]*✓ \$ node cart[\s\S]*three tests pass/);
    expect(await projectFile('cart.js')).toContain('discount');
    await press(keys.enter);
    await tour.shows('Go back to before which prompt?');
    await press(keys.enter);
    await tour.shows(/[>❯] Conversation and files/);
    await press(keys.enter);
    await tour.shows('Tour 6 of 8');
    expect(await projectFile('cart.js')).not.toContain('discount');
    await press(keys.ctrlO);
    await tour.shows('q back');
    await press('q');
    await tour.shows('Tour 7 of 8');
    await press(keys.enter);
    await tour.shows('Tour 8 of 8');
    await press(keys.enter);
    await tour.shows('Press enter to resume the one you left.');
    await press(keys.enter);
    expect(await tour.shows('❯ 1  Remove everything')).toMatch(/Resumed[\s\S]*The tour is over/);
    await answer(keys.enter);
    expect(await tour.exit).toBe(0);
    expect(tour.raw).toMatch(/Removed \S+robota-tour-\w+; nothing remains of the tour\.\r\nNext: /);
    expectModesOff(tour);
    await expectNothingLeft();
    if (isRecording) await recordTour(log());
    expect(await missingMoments(log()), 'screens that changed: run npm run record').toEqual([]);
    for (const [file, svg] of await pictures())
      expect(await readFile(file, 'utf8'), `${file}: run npm run record`).toBe(svg);
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

  it('is left by esc while an answer streams, at 80 columns and without colours', async () => {
    const tour = start(['demo'], { env: { NO_COLOR: '1' } });
    await tour.shows('> Run the tests.');
    tour.type(keys.enter);
    await tour.shows("● I'll");
    tour.type(keys.escape);
    expect(await tour.exit).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(tour.raw).not.toMatch(/\u001b\[(?:3[0-7]|38;[\d;]+|48;[\d;]+)m/);
    await expectNothingLeft();
  });

  it('waits at its stop after a no, and is left by esc while a question is open', async () => {
    const tour = start(['demo'], onLight);
    const { answer, log } = presser(tour);
    await tour.shows('> Run the tests.');
    tour.type(keys.enter);
    await tour.shows('> Fix it');
    tour.type(keys.enter);
    await tour.shows('❯ 1  Allow once');
    await answer(`4${keys.enter}`);
    await tour.shows('Deny: ');
    tour.type(keys.enter);
    await tour.shows('Nothing was written, because you did not allow it. Try again.');
    expect(await projectFile('cart.js')).toContain('sum += item.price;');
    tour.type(keys.enter);
    await tour.shows(/Edit cart\.js · denied[\s\S]*❯ 1 {2}Allow once/);
    tour.type(keys.escape);
    expect(await tour.exit).toBe(0);
    await expectNothingLeft();
    const { recorded, shown } = await lightPictures(log());
    expect(shown, 'screens that changed: run npm run record').toContain(recorded);
  });

  it('is offered at the first run, which comes back to its question, and is kept where that is wanted', async () => {
    const run = start([]);
    const [, number = ''] =
      /(\d) {2}Take the tour/.exec(await run.shows(/Take the tour[\s\S]*\nenter select/)) ?? [];
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
