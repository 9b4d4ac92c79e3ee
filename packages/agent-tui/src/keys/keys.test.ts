import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StdinDecoder } from '../input/stdin-decoder.ts';
import { type ActionId, defaultKeybindings } from './default-keybindings.ts';
import { formerActionId } from './former-action-ids.ts';
import type { KeyEvent } from './key-event.ts';
import { composeKeyId, normalizeKeyId } from './key-id.ts';
import { Keybindings } from './keybindings.ts';
import { matchesKey } from './matches-key.ts';
import { readKeybindings } from './read-keybindings.ts';

function press(bytes: string): KeyEvent {
  const decoder = new StdinDecoder();
  const [event] = [...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()];
  if (event?.type !== 'key') throw new Error(`No key: ${JSON.stringify(bytes)}`);
  return event;
}

describe('key ids', () => {
  it('P-82 takes ids in any spelling', () => {
    const spellings: Readonly<Record<string, string>> = {
      'Ctrl+Shift+P': 'ctrl+shift+p',
      'shift+ctrl+p': 'ctrl+shift+p',
      esc: 'escape',
      Return: 'enter',
      pageup: 'pageUp',
      'alt+PAGEDOWN': 'alt+pageDown',
      'ctrl++': 'ctrl++',
      '+': '+',
      'ctrl+-': 'ctrl+-',
      F12: 'f12',
      'cmd+k': 'super+k',
    };
    for (const [written, id] of Object.entries(spellings)) expect(normalizeKeyId(written), written).toBe(id);
    for (const wrong of ['', 'ctrl+', 'hyperspace', 'f99', 'ctrl+shift', 'foo+a', 'ctrl'])
      expect(normalizeKeyId(wrong), wrong).toBeUndefined();
  });

  it('P-82 leaves an id that it wrote as it is', () => {
    const key = fc.constantFrom('a', '+', '-', ']', 'é', 'escape', 'pageUp', 'f11', 'space');
    const flags = fc.record({
      ctrl: fc.boolean(),
      alt: fc.boolean(),
      shift: fc.boolean(),
      super: fc.boolean(),
    });
    fc.assert(
      fc.property(key, flags, (name, modifiers) => {
        const id = composeKeyId(name, modifiers);
        expect(normalizeKeyId(id)).toBe(id);
      }),
    );
  });

  it('P-82 matches strokes of old and new terminals, but not letting go', () => {
    expect(matchesKey(press('\x1f'), 'ctrl+-')).toBe(true);
    expect(matchesKey(press('\x1f'), 'ctrl+_')).toBe(true);
    expect(matchesKey(press('\x1b[45;5u'), 'ctrl+-')).toBe(true);
    expect(matchesKey(press('\x1b[1089::99;5u'), 'ctrl+c')).toBe(true);
    expect(matchesKey(press('\x1b[47:63;2u'), '?')).toBe(true);
    expect(matchesKey(press('\x1b[99;5:3u'), 'ctrl+c')).toBe(false);
    expect(matchesKey(press('c'), 'ctrl+c')).toBe(false);
  });
});

describe('Keybindings', () => {
  it('P-83 P-85 has actions with default keys, all of them well formed', () => {
    const bindings = new Keybindings();
    const actions = Object.keys(defaultKeybindings) as ActionId[];
    expect(actions.length).toBeGreaterThanOrEqual(51);
    for (const action of actions)
      for (const key of bindings.keysOf(action)) expect(normalizeKeyId(key), action).toBe(key);
    expect(bindings.matches(press('\x1b[13;2u'), 'tui.input.newLine')).toBe(true);
    expect(bindings.matches(press('\n'), 'tui.input.newLine')).toBe(true);
    expect(bindings.matches(press('\x1b[112;6u'), 'app.model.cycleBackward')).toBe(true);
    expect(bindings.find(press('\x1b'), ['tui.select.confirm', 'tui.select.cancel'])).toBe(
      'tui.select.cancel',
    );
    expect(bindings.list().find(({ action }) => action === 'app.help')).toEqual({
      action: 'app.help',
      keys: ['f1'],
      description: 'Show the keys',
    });
  });

  it('P-84 takes overrides from keybindings.json, with comments, lists and unbinding', async () => {
    const { overrides, problems } = await readKeybindings(`{
      // my keys
      "app.help": "Ctrl+Shift+H",
      "tui.editor.undo": ["ctrl+-", "super+z"],
      "app.suspend": [],
    }`);
    expect(problems).toEqual([]);
    const bindings = new Keybindings(overrides);
    expect(bindings.keysOf('app.help')).toEqual(['ctrl+shift+h']);
    expect(bindings.keysOf('tui.editor.undo')).toEqual(['ctrl+-', 'super+z']);
    expect(bindings.keysOf('app.suspend')).toEqual([]);
    expect(bindings.keysOf('app.clear')).toEqual(['ctrl+c']);
  });

  it('P-84 maps the former names of pi; the present name wins', async () => {
    expect(formerActionId('interrupt')).toBe('app.interrupt');
    expect(formerActionId('cursorUp')).toBe('tui.editor.cursorUp');
    expect(formerActionId('toString')).toBeUndefined();
    const { overrides, problems } = await readKeybindings(
      '{"cycleThinkingLevel": "f2", "newLine": "f3", "tui.input.newLine": "f4"}',
    );
    expect(problems).toEqual([]);
    expect(overrides).toEqual({ 'app.thinking.cycle': ['f2'], 'tui.input.newLine': ['f4'] });
  });

  it('P-84 names what can not be used by its line, with what was meant, and uses the rest', async () => {
    const { overrides, problems } = await readKeybindings(
      '{\n  "app.modle.select": "f2",\n  "app.help": ["f1", "hyper+x", 7],\n  "zzz": "a"\n}',
    );
    expect(overrides).toEqual({ 'app.help': ['f1'] });
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 3, 4]);
    expect(problems[0]?.message).toBe(
      'There is no action "app.modle.select". Did you mean "app.model.select"?',
    );
    expect(problems[1]?.message).toContain('"hyper+x" is no key');
    expect(problems[3]?.message).toContain('See the help');
    expect((await readKeybindings('{\n"app.help": f1}')).problems[0]?.line).toBe(2);
    expect((await readKeybindings('[]')).problems).toHaveLength(1);
    expect((await readKeybindings('')).problems).toHaveLength(1);
  });

  it('P-84 tells of keys that others have, gives them to whom the person names, and of keys that never arrive', async () => {
    const { overrides, problems } = await readKeybindings(
      '{\n"app.model.select": "ctrl+o",\n"app.help": "ctrl+m",\n"tui.select.up": "ctrl+p"\n}',
    );
    const keys = new Keybindings(overrides);
    expect([keys.keysOf('app.model.select'), keys.keysOf('app.tools.expand')]).toEqual([['ctrl+o'], []]);
    expect(problems.map(({ line }) => line)).toEqual([3, 2]);
    expect(problems[0]?.message).toContain('most terminals send enter for ctrl+m');
    expect(problems[1]?.message).toBe(
      '"app.model.select": ctrl+o is also the key of "app.tools.expand". Give that one another key, or [] for none.',
    );
    const settled = await readKeybindings('{"app.model.select": "ctrl+o", "app.tools.expand": []}');
    expect(settled.problems).toEqual([]);
    const both = await readKeybindings('{"app.model.select": "f5", "app.help": "f5"}');
    expect(both.problems).toHaveLength(1);
    expect(both.overrides).toEqual({ 'app.model.select': ['f5'], 'app.help': ['f5'] });
  });

  it('the example of the manual has no clash', async () => {
    const manual = await readFile(join(import.meta.dirname, '../../../../docs/terminal.md'), 'utf8');
    const example = /```json\n(\{ "app\.[^`]*)```/.exec(manual)?.[1] ?? '';
    expect(example).not.toBe('');
    expect((await readKeybindings(example)).problems).toEqual([]);
  });

  it('P-84 never throws, whatever the file holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const { overrides, problems } = await readKeybindings(text);
        expect(() => new Keybindings(overrides)).not.toThrow();
        for (const { line } of problems) expect(line).toBeGreaterThan(0);
      }),
    );
  });
});
