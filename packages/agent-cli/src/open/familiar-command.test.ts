import { findCommandRow } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { findShellRow } from '../arguments/shell-rows.ts';
import { familiarCommand, familiarCommands } from './familiar-command.ts';

/** Commands that only the screen has. */
const screenCommands: ReadonlySet<string> = new Set(['login', 'doctor']);

describe('familiarCommand', () => {
  const names = familiarCommands.flatMap(([each]) => each.split(' '));

  it('says what to use instead of the commands of other agents, once for each', () => {
    expect(familiarCommand('hotkeys')).toBe('Unknown command /hotkeys. /keys shows the keys.');
    expect(familiarCommand('usage-of-nothing')).toBeUndefined();
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(names)('stands in for no command of ours: /%s', (name) => {
    expect(findCommandRow(name)).toBeUndefined();
  });

  it.each(familiarCommands)('names only commands that exist: %s', (_, advice) => {
    for (const [, name = ''] of advice.matchAll(/(?:^|\s)\/([a-z-]+)/g))
      expect(screenCommands.has(name) || findCommandRow(name), `/${name}`).toBeTruthy();
    for (const [, name = ''] of advice.matchAll(/\{program\} ([a-z]+)/g))
      expect(name === 'acp' || findShellRow(name), name).toBeTruthy();
  });
});
