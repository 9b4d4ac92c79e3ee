import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { type KeyEvent, normalizeKeyId, readKeybindings } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import { type AppAction, appActions, createAppKeybindings } from './app-actions.ts';
import { formerActionId } from './former-action-ids.ts';

function press(id: string): KeyEvent {
  return { type: 'key', id, otherIds: [], text: '', action: 'press' };
}

function read(text: string) {
  return readKeybindings(text, { actions: appActions, formerAction: formerActionId });
}

describe('key bindings of the program', () => {
  it('has actions with default keys, all of them well formed', () => {
    proves('P-83', 'P-85');
    const bindings = createAppKeybindings();
    const actions = Object.keys(appActions) as AppAction[];
    expect(actions.length).toBeGreaterThanOrEqual(51);
    for (const action of actions)
      for (const key of bindings.keysOf(action)) expect(normalizeKeyId(key), action).toBe(key);
    expect(bindings.matches(press('ctrl+shift+p'), 'app.model.cycleBackward')).toBe(true);
    expect(bindings.matches(press('ctrl+p'), 'app.model.cycleBackward')).toBe(false);
    expect(bindings.list().find(({ action }) => action === 'app.help')).toEqual({
      action: 'app.help',
      keys: ['f1'],
      description: 'Show the keys',
    });
  });

  it('takes overrides from keybindings.json, with comments, lists and unbinding', async () => {
    proves('P-84');
    const { overrides, problems } = await read(`{
      // my keys
      "app.help": "Ctrl+Shift+H",
      "tui.editor.undo": ["ctrl+-", "super+z"],
      "app.suspend": [],
    }`);
    expect(problems).toEqual([]);
    const bindings = createAppKeybindings(overrides);
    expect(bindings.keysOf('app.help')).toEqual(['ctrl+shift+h']);
    expect(bindings.keysOf('tui.editor.undo')).toEqual(['ctrl+-', 'super+z']);
    expect(bindings.keysOf('app.suspend')).toEqual([]);
    expect(bindings.keysOf('app.clear')).toEqual(['ctrl+c']);
  });

  it('maps the former names of pi; the present name wins', async () => {
    proves('P-84');
    expect(formerActionId('interrupt')).toBe('app.interrupt');
    expect(formerActionId('cursorUp')).toBe('tui.editor.cursorUp');
    expect(formerActionId('toString')).toBeUndefined();
    const { overrides, problems } = await read(
      '{"cycleThinkingLevel": "f2", "newLine": "f3", "tui.input.newLine": "f4"}',
    );
    expect(problems).toEqual([]);
    expect(overrides).toEqual({ 'app.thinking.cycle': ['f2'], 'tui.input.newLine': ['f4'] });
  });

  it('names what cannot be used by its line, with what was meant, and uses the rest', async () => {
    proves('P-84');
    const { overrides, problems } = await read(
      '{\n  "app.modle.select": "f2",\n  "app.help": ["f1", "hyper+x", 7],\n  "zzz": "a"\n}',
    );
    expect(overrides).toEqual({ 'app.help': ['f1'] });
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 3, 4]);
    expect(problems[0]?.message).toBe('Unknown action "app.modle.select". Did you mean "app.model.select"?');
    expect(problems[1]?.message).toContain('"hyper+x" is not a key');
    expect(problems[3]?.message).toContain('The help lists');
    expect((await read('{\n"app.help": f1}')).problems[0]?.line).toBe(2);
    expect((await read('[]')).problems).toHaveLength(1);
    expect((await read('')).problems).toHaveLength(1);
  });

  it('tells of keys that others have, gives them to the action that the user names, and of keys that never arrive', async () => {
    proves('P-84');
    const { overrides, problems } = await read(
      '{\n"app.model.select": "ctrl+o",\n"app.help": "ctrl+m",\n"tui.select.up": "ctrl+p"\n}',
    );
    const keys = createAppKeybindings(overrides);
    expect([keys.keysOf('app.model.select'), keys.keysOf('app.tools.expand')]).toEqual([['ctrl+o'], []]);
    expect(problems.map(({ line }) => line)).toEqual([3, 2]);
    expect(problems[0]?.message).toContain('most terminals send enter for ctrl+m');
    expect(problems[1]?.message).toBe(
      '"app.model.select": ctrl+o is also the key of "app.tools.expand". Give that one another key, or [] for none.',
    );
    const settled = await read('{"app.model.select": "ctrl+o", "app.tools.expand": []}');
    expect(settled.problems).toEqual([]);
    const both = await read('{"app.model.select": "f5", "app.help": "f5"}');
    expect(both.problems).toHaveLength(1);
    expect(both.overrides).toEqual({ 'app.model.select': ['f5'], 'app.help': ['f5'] });
  });

  it('the example of the manual has no clash', async () => {
    const manual = await readFile(join(import.meta.dirname, '../../../../docs/terminal.md'), 'utf8');
    const example = /```json\n(\{ "app\.[^`]*)```/.exec(manual)?.[1] ?? '';
    expect(example).not.toBe('');
    expect((await read(example)).problems).toEqual([]);
  });
});
