import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputEvent } from './input-event.ts';
import { StdinDecoder } from './stdin-decoder.ts';

const encoder = new TextEncoder();

/** The events of an input that arrives at once, and after which nothing comes. */
function decode(text: string): InputEvent[] {
  const decoder = new StdinDecoder();
  return [...decoder.push(encoder.encode(text)), ...decoder.flush()];
}

/** The ids of the keys of an input. */
function ids(text: string): string[] {
  return decode(text).map((event) => (event.type === 'key' ? event.id : event.type));
}

describe('StdinDecoder', () => {
  it('names plain characters and control keys', () => {
    proves('P-82');
    const keys: readonly (readonly [input: string, id: string, text: string])[] = [
      ['a', 'a', 'a'],
      ['A', 'shift+a', 'A'],
      ['?', '?', '?'],
      [' ', 'space', ' '],
      ['한', '한', '한'],
      ['👍', '👍', '👍'],
      ['É', 'shift+é', 'É'],
      ['\r', 'enter', ''],
      ['\n', 'ctrl+j', ''],
      ['\t', 'tab', ''],
      ['\x7f', 'backspace', ''],
      ['\x08', 'ctrl+h', ''],
      ['\x03', 'ctrl+c', ''],
      ['\x00', 'ctrl+space', ''],
      ['\x1d', 'ctrl+]', ''],
      ['\x1f', 'ctrl+-', ''],
    ];
    for (const [input, id, text] of keys) {
      expect(decode(input), JSON.stringify(input)).toMatchObject([
        { type: 'key', id, text, action: 'press' },
      ]);
    }
  });

  it('reads the cursor and function keys of xterm, rxvt, the Linux console and the VT220', () => {
    const keys: Readonly<Record<string, string>> = {
      '\x1b[A': 'up',
      '\x1bOA': 'up',
      '\x1b[1;5A': 'ctrl+up',
      '\x1b[1;2D': 'shift+left',
      '\x1b[1;3C': 'alt+right',
      '\x1b[1;6B': 'ctrl+shift+down',
      '\x1b[a': 'shift+up',
      '\x1bOd': 'ctrl+left',
      '\x1b[H': 'home',
      '\x1bOF': 'end',
      '\x1b[1~': 'home',
      '\x1b[7~': 'home',
      '\x1b[8~': 'end',
      '\x1b[2~': 'insert',
      '\x1b[3~': 'delete',
      '\x1b[3;5~': 'ctrl+delete',
      '\x1b[3$': 'shift+delete',
      '\x1b[5^': 'ctrl+pageUp',
      '\x1b[6@': 'ctrl+shift+pageDown',
      '\x1b[Z': 'shift+tab',
      '\x1bOP': 'f1',
      '\x1b[11~': 'f1',
      '\x1b[[A': 'f1',
      '\x1b[[E': 'f5',
      '\x1b[1;2R': 'shift+f3',
      '\x1b[15~': 'f5',
      '\x1b[24;2~': 'shift+f12',
      '\x1b[E': 'clear',
      '\x1bOM': 'enter',
      '\x1bOw': '7',
      '\x1b\x1b[A': 'alt+up',
      '\x1b\x1bOc': 'ctrl+alt+right',
    };
    for (const [input, id] of Object.entries(keys)) expect(ids(input), JSON.stringify(input)).toEqual([id]);
  });

  it('reads alt with any key, and a lone escape when nothing follows', () => {
    const keys: Readonly<Record<string, readonly string[]>> = {
      '\x1b': ['escape'],
      '\x1b\x1b': ['escape', 'escape'],
      '\x1bb': ['alt+b'],
      '\x1bP': ['alt+shift+p'],
      '\x1b\r': ['alt+enter'],
      '\x1b\x7f': ['alt+backspace'],
      '\x1b\x1d': ['ctrl+alt+]'],
      '\x1b[': ['alt+['],
      '\x1bO': ['alt+shift+o'],
      '\x1b]': ['alt+]'],
      '\x1b]x': ['alt+]', 'x'],
      '\x1bé': ['alt+é'],
      '\x1b\x1bx': ['escape', 'alt+x'],
      'a\x1b': ['a', 'escape'],
    };
    for (const [input, expected] of Object.entries(keys))
      expect(ids(input), JSON.stringify(input)).toEqual(expected);
  });

  it('reads the Kitty keyboard protocol with modifiers, event types and alternate keys', () => {
    proves('P-76');
    expect(decode('\x1b[27u')).toMatchObject([{ id: 'escape', action: 'press' }]);
    expect(decode('\x1b[112;6u')).toMatchObject([{ id: 'ctrl+shift+p', text: '' }]);
    expect(decode('\x1b[13;2u')).toMatchObject([{ id: 'shift+enter' }]);
    expect(decode('\x1b[97;1:2u')).toMatchObject([{ id: 'a', text: 'a', action: 'repeat' }]);
    expect(decode('\x1b[97;1:3u')).toMatchObject([{ id: 'a', text: '', action: 'release' }]);
    expect(decode('\x1b[1;1:3A')).toMatchObject([{ id: 'up', action: 'release' }]);
    expect(decode('\x1b[3;5:2~')).toMatchObject([{ id: 'ctrl+delete', action: 'repeat' }]);
    expect(decode('\x1b[47:63;6u')).toMatchObject([{ id: 'ctrl+shift+/', otherIds: ['ctrl+?'] }]);
    expect(decode('\x1b[1089::99;5u')).toMatchObject([{ id: 'ctrl+с', otherIds: ['ctrl+c'] }]);
    expect(decode('\x1b[97:65;2u')).toMatchObject([{ id: 'shift+a', text: 'A' }]);
    expect(decode('\x1b[97;1;228u')).toMatchObject([{ id: 'a', text: 'ä' }]);
    expect(decode('\x1b[57399u')).toMatchObject([{ id: '0', text: '0' }]);
    expect(decode('\x1b[57376u')).toMatchObject([{ id: 'f13' }]);
    expect(decode('\x1b[99;69u')).toMatchObject([{ id: 'ctrl+c' }]);
    // A modifier by itself is no key.
    expect(decode('\x1b[57441;2u')).toEqual([]);
  });

  it('reads modifyOtherKeys', () => {
    expect(decode('\x1b[27;5;13~')).toMatchObject([{ id: 'ctrl+enter' }]);
    expect(decode('\x1b[27;2;65~')).toMatchObject([{ id: 'shift+a', text: 'A' }]);
    expect(decode('\x1b[27;6;112~')).toMatchObject([{ id: 'ctrl+shift+p' }]);
  });

  it('reads a paste as one event, whatever is in it', () => {
    proves('P-77');
    expect(decode('\x1b[200~one\r\ntwo\rthree\x1b[A\x03\x1b[201~x')).toMatchObject([
      { type: 'paste', text: 'one\ntwo\nthree\x1b[A\x03' },
      { type: 'key', id: 'x' },
    ]);
    expect(decode('\x1b[200~\x1b[201~')).toEqual([{ type: 'paste', text: '' }]);
  });

  it('keeps a paste of ten megabytes that comes in small pieces', () => {
    proves('P-77');
    const decoder = new StdinDecoder();
    const line = 'The quick 한국어 fox.\r';
    const body = encoder.encode(line.repeat(Math.ceil(10_000_000 / encoder.encode(line).length)));
    const events = decoder.push(encoder.encode('\x1b[200~'));
    for (let from = 0; from < body.length; from += 1021)
      events.push(...decoder.push(body.subarray(from, from + 1021)));
    expect(events).toEqual([]);
    const [paste] = decoder.push(encoder.encode('\x1b[201~'));
    const text = paste?.type === 'paste' ? paste.text : '';
    expect(encoder.encode(text).length).toBe(body.length);
    expect(text.endsWith('The quick 한국어 fox.\n')).toBe(true);
  });

  it('reads what a terminal answers', () => {
    proves('P-81');
    const answers: readonly (readonly [input: string, response: object])[] = [
      ['\x1b]11;rgb:1e1e/2020/ffff\x1b\\', { kind: 'colour', target: 'background', rgb: [30, 32, 255] }],
      ['\x1b]10;#ff8000\x07', { kind: 'colour', target: 'foreground', rgb: [255, 128, 0] }],
      ['\x1b[?997;2n', { kind: 'colour-scheme', scheme: 'light' }],
      ['\x1b[?997;1n', { kind: 'colour-scheme', scheme: 'dark' }],
      ['\x1b[6;20;10t', { kind: 'cell-size', width: 10, height: 20 }],
      ['\x1b[?7u', { kind: 'keyboard-flags', flags: 7 }],
      ['\x1b[?62;4;22c', { kind: 'device-attributes', attributes: [62, 4, 22] }],
      ['\x1b[?2026;2$y', { kind: 'mode', mode: 2026, isSupported: true }],
      ['\x1b[?2026;0$y', { kind: 'mode', mode: 2026, isSupported: false }],
      ['\x1bP>|kitty(0.40)\x1b\\', { kind: 'version', text: 'kitty(0.40)' }],
      ['\x1b_Gi=31;OK\x1b\\', { kind: 'graphics', isSupported: true }],
    ];
    for (const [input, response] of answers)
      expect(decode(input), JSON.stringify(input)).toEqual([{ type: 'response', response }]);
    expect(decode('\x1b[I\x1b[O')).toEqual([
      { type: 'focus', isFocused: true },
      { type: 'focus', isFocused: false },
    ]);
  });

  it('swallows mouse reports and noise, and continues after them', () => {
    expect(ids('\x1b[<0;10;20Ma')).toEqual(['a']);
    expect(ids('\x1b[M !!a')).toEqual(['a']);
    expect(ids('\x1b[32;10;20Ma')).toEqual(['a']);
    expect(ids('\x1b[12;40Ra')).toEqual(['a']);
    expect(ids('\x1b[1;2\x1b[A')).toEqual(['up']);
    expect(ids('\x1b]11;rgb:\x1b[A')).toEqual(['up']);
    expect(ids(`\x1b]52;c;${'A'.repeat(20_000)}\x07a`)).toEqual(['a']);
    expect(ids(`\x1b]52;c;${'A'.repeat(20_000)}\x1b\\a`)).toEqual(['a']);
    expect(ids('\x1b[>0;276;0ca')).toEqual(['a']);
    const decoder = new StdinDecoder();
    expect(decoder.push(Uint8Array.of(0xff, 0xfe, 0x61))).toMatchObject([{ id: 'a' }]);
  });

  it('waits briefly for what may be a key and longer for the rest of a sequence', () => {
    const decoder = new StdinDecoder();
    decoder.push(encoder.encode('\x1b'));
    expect(decoder.waiting).toBe('briefly');
    decoder.push(encoder.encode('[1;'));
    expect(decoder.waiting).toBe('long');
    expect(decoder.push(encoder.encode('5A'))).toMatchObject([{ id: 'ctrl+up' }]);
    expect(decoder.waiting).toBe('nothing');
    decoder.push(encoder.encode('\x1b[1;'));
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(encoder.encode('a'))).toMatchObject([{ id: 'a' }]);
  });

  it('gives the same events however the bytes are cut', () => {
    proves('P-75');
    const piece = fc.oneof(
      fc.constantFrom(
        '\x1b',
        '\x1b[',
        '\x1bO',
        '\x1b]11;',
        '\x1b]11;rgb:00/11/22\x1b\\',
        '\x1b[200~',
        '\x1b[201~',
        '\x1b[20',
        '\x1b[1;5A',
        '\x1b[97:65:97;2:3u',
        '\x1bP>|x',
        '\x1b\\',
        '\x07',
        '\x1b[M',
        '\r\n',
        '한국',
        '👩‍👩‍👧‍👦',
        '\x1b\x1b[A',
        '\x1b[5$',
        '\x1b[?2026;2$y',
        `\x1b]1${'y'.repeat(8200)}`,
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 14 }),
        fc.array(fc.nat(40), { maxLength: 60 }),
        (pieces, cuts) => {
          const bytes = encoder.encode(pieces.join(''));
          const whole = new StdinDecoder();
          const expected = [...whole.push(bytes), ...whole.flush()];
          const decoder = new StdinDecoder();
          const events: InputEvent[] = [];
          let from = 0;
          for (const cut of cuts) {
            events.push(...decoder.push(bytes.subarray(from, from + cut)));
            from += cut;
          }
          events.push(...decoder.push(bytes.subarray(from)), ...decoder.flush());
          expect(events).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
