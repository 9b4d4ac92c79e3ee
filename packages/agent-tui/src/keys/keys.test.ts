import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StdinDecoder } from '../input/stdin-decoder.ts';
import type { KeyEvent } from './key-event.ts';
import { composeKeyId, matchesKey, normalizeKeyId } from './key-id.ts';
import { Keybindings } from './keybindings.ts';
import { readKeybindings } from './read-keybindings.ts';
import { toolkitActions } from './toolkit-actions.ts';

function press(bytes: string): KeyEvent {
  const decoder = new StdinDecoder();
  const [event] = [...decoder.push(new TextEncoder().encode(bytes)), ...decoder.flush()];
  if (event?.type !== 'key') throw new Error(`No key: ${JSON.stringify(bytes)}`);
  return event;
}

describe('key ids', () => {
  it('takes ids in any spelling', () => {
    proves('P-82');
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

  it('leaves an id that it wrote as it is', () => {
    proves('P-82');
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

  it('matches strokes of old and new terminals, but not letting go', () => {
    proves('P-82');
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
  const actions = {
    ...toolkitActions,
    'player.play': { keys: ['space', 'f5'], description: 'Play' },
    'player.stop': { keys: ['s'], description: 'Stop' },
    'list.sort': { keys: ['s'], description: 'Sort', scope: 'list' },
  } as const;

  it('runs the handler of the first action that a key triggers, and of no other', () => {
    const bindings = new Keybindings({
      'player.play': { keys: ['space'], description: 'Play' },
      'player.stop': { keys: ['space', 'escape'], description: 'Stop' },
    });
    const ran: string[] = [];
    const handlers = {
      'player.play': () => void ran.push('play'),
      'player.stop': () => void ran.push('stop'),
    };
    const taken = [' ', '\x1b', 'x'].map((bytes) => bindings.run(press(bytes), handlers));
    expect([taken, ran]).toEqual([
      [true, true, false],
      ['play', 'stop'],
    ]);
  });

  it('has actions of the toolkit and of a program, with default keys and overrides', () => {
    proves('P-83', 'P-85');
    const bindings = new Keybindings(actions, { 'player.stop': ['escape'] });
    expect(Object.keys(toolkitActions).length).toBeGreaterThanOrEqual(27);
    for (const action of Object.keys(toolkitActions)) expect(action).toMatch(/^tui\./);
    for (const { keys } of bindings.list()) for (const key of keys) expect(normalizeKeyId(key)).toBe(key);
    expect(bindings.matches(press('\x1b[13;2u'), 'tui.input.newLine')).toBe(true);
    expect(bindings.matches(press('\n'), 'tui.input.newLine')).toBe(true);
    expect(bindings.matches(press(' '), 'player.play')).toBe(true);
    expect(bindings.keysOf('player.stop')).toEqual(['escape']);
    expect(bindings.find(press('\x1b'), ['tui.select.confirm', 'tui.select.cancel'])).toBe(
      'tui.select.cancel',
    );
    expect(bindings.list().at(-1)).toEqual({ action: 'list.sort', keys: ['s'], description: 'Sort' });
  });

  it('reads a file for a table of actions: former ids, unknown ids, clashes of one scope', async () => {
    proves('P-84');
    const schema = {
      actions,
      formerAction: (id: string) => (id === 'play' ? ('player.play' as const) : undefined),
    };
    const { overrides, problems } = await readKeybindings(
      '{\n"play": ["s"],\n"player.stpo": "f2",\n"list.sort": "space",\n"window.split": "f3",\n"window.close": "f4"\n}',
      schema,
    );
    expect(overrides).toEqual({ 'player.play': ['s'], 'list.sort': ['space'], 'player.stop': [] });
    expect(problems.map(({ message }) => message)).toEqual([
      'Unknown action "player.stpo". Did you mean "player.stop"?',
      'Unknown actions "window.split", "window.close". The help lists the actions.',
      '"player.play": s is also the key of "player.stop". Give that one another key, or [] for none.',
    ]);
  });

  it('never throws, whatever the file holds', async () => {
    proves('P-84');
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const { overrides, problems } = await readKeybindings(text, { actions });
        expect(() => new Keybindings(actions, overrides)).not.toThrow();
        for (const { line } of problems) expect(line).toBeGreaterThan(0);
      }),
    );
  });
});
