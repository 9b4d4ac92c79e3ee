import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { keys, openTui } from './tui.ts';

let stage: Stage;
let terminal: Terminal | undefined;

beforeEach(async () => {
  stage = await openStage();
});

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
  await stage.server.close();
});

async function start(...given: Parameters<typeof openTui> extends [unknown, ...infer Rest] ? Rest : never) {
  terminal = await openTui(stage, ...given);
  return terminal;
}

describe('leaving by a key', () => {
  it('ends at a second ctrl+c only if nothing else was pressed in between', async () => {
    const tui = await start();
    const again = 'Ctrl+C again';
    tui.type(keys.ctrlC);
    await tui.shows(again);
    tui.type('x');
    await tui.shows(/ > x\n[─]+\n default/);
    tui.type(`${keys.backspace}${keys.ctrlC}`);
    await tui.shows(again);
    tui.type(keys.ctrlC);
    expect(await tui.exit).toBe(0);
  });
});
