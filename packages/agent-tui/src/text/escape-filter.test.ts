import { readFileSync } from 'node:fs';
import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EscapeFilter, type EscapeFilterOptions, filterEscapes } from './escape-filter.ts';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly input: string | readonly string[];
  readonly encoding?: 'hex';
  readonly must_contain: readonly string[];
  readonly must_not_match: string;
  readonly sinks: readonly string[];
}

const file = new URL('../../fixtures/terminal-escapes.json', import.meta.url);
const cases: readonly Case[] = JSON.parse(readFileSync(file, 'utf8'));
const everyMode = ['drop', 'keep-colours', 'show'] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the filter is about
const forbidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the filter is about
const colour = /\x1b\[[0-9;:]+m/g;

describe('the shared cases', () => {
  it.each(cases)('$id $name', (example) => {
    for (const sequences of modesFor(example)) {
      const output = filterPieces(piecesOf(example), { sequences });
      expect(output).not.toMatch(new RegExp(example.must_not_match, 'u'));
      expect(output).not.toMatch(forbidden);
      for (const part of example.must_contain) expect(output).toContain(part);
    }
  });

  it.each(cases)('$id $name, cut anywhere', (example) => {
    const text = piecesOf(example).join('');
    for (const sequences of everyMode) {
      const whole = filterEscapes(text, { sequences });
      expect(filterPieces(text.split(''), { sequences })).toBe(whole);
      for (const size of [2, 3, 7]) expect(filterPieces(cut(text, size), { sequences })).toBe(whole);
    }
  });

  it('leave a real terminal as it was', async () => {
    for (const example of cases) {
      const { events, firstLine } = await printed(`first\n${filterPieces(piecesOf(example))}`);
      expect(events, example.id).toEqual([]);
      expect(firstLine, example.id).toBe('first');
    }
  });
});

describe('any text', () => {
  it('comes out without control characters', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(filterEscapes(text)).not.toMatch(forbidden);
        expect(filterEscapes(text, { sequences: 'show' })).not.toMatch(forbidden);
        expect(filterEscapes(text, { sequences: 'keep-colours' }).replace(colour, '')).not.toMatch(forbidden);
      }),
    );
  });

  it('is not changed by a second pass', () => {
    fc.assert(
      fc.property(hostileText(), fc.constantFrom(...everyMode), (text, sequences) => {
        const once = filterEscapes(text, { sequences });
        expect(filterEscapes(once, { sequences })).toBe(once);
      }),
    );
  });

  it('may be cut into any pieces', () => {
    fc.assert(
      fc.property(
        hostileText(),
        fc.array(fc.integer({ min: 1, max: 9 })),
        fc.constantFrom(...everyMode),
        (text, sizes, sequences) => {
          expect(filterPieces(cutBy(text, sizes), { sequences })).toBe(filterEscapes(text, { sequences }));
        },
      ),
    );
  });

  it('loses its colours only between keep-colours and drop', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const coloured = filterEscapes(text, { sequences: 'keep-colours' });
        expect(coloured.replace(colour, '')).toBe(filterEscapes(text));
      }),
    );
  });

  it('ends coloured text with a reset', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const last = filterEscapes(text, { sequences: 'keep-colours' }).match(colour)?.at(-1);
        expect(last ?? '\u001b[0m').toMatch(/[[;]0m$/);
      }),
    );
  });

  it('passes as it is when it is plain', () => {
    const plain = fc.constantFrom(
      ...[
        'word',
        ' ',
        '\n',
        '\t',
        '~',
        'é',
        'e\u0301',
        '日本語',
        '한국어',
        'עברית',
        'ไทยนี้',
        'नमस्ते',
        'می\u200cخواهم',
      ],
      ...['🙂', '👩🏽‍💻', '👨‍👩‍👧‍👦', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇰🇷', '𝒳', '│', '\ue0b0', '\u00a0'],
    );
    fc.assert(
      fc.property(fc.array(plain), (parts) => {
        const text = parts.join('');
        expect(filterPieces(text.split(''))).toBe(text);
        expect(filterEscapes(text, { sequences: 'keep-colours' })).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const printable = text.replace(new RegExp(forbidden, 'gu'), '');
        expect(filterEscapes(printable)).toBe(printable);
      }),
    );
  });
});

describe('sequences', () => {
  it.each([
    ['seven-bit CSI', 'a\u001b[1;2Hb', 'ab'],
    ['CSI with private and intermediate bytes', 'a\u001b[?25l\u001b[4 qb', 'ab'],
    ['OSC ended by BEL', 'a\u001b]52;c;cm0=\u0007b', 'ab'],
    ['OSC ended by eight-bit ST', 'a\u001b]0;t\u009cb', 'ab'],
    ['eight-bit OSC', 'a\u009d0;t\u0007b', 'ab'],
    ['link', '\u001b]8;;https://evil.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['DCS', 'a\u001bP1$r0m\u001b\\b', 'ab'],
    ['eight-bit DCS', 'a\u0090q\u009cb', 'ab'],
    ['APC', 'a\u001b_Gf=100;AAAA\u001b\\b', 'ab'],
    ['SOS', 'a\u001bXx\u001b\\b', 'ab'],
    ['character set', 'a\u001b(0b', 'ab'],
    ['bracket as the last of a designation', 'a\u001b([b', 'ab'],
    ['shifts', 'a\u000eb\u000fc', 'abc'],
    ['DECALN', 'a\u001b#8b', 'ab'],
    ['sequence inside a sequence', 'a\u001b[3\u001b[2Jb', 'ab'],
    ['escape before an escape', 'a\u001b\u001b[2Jb', 'ab'],
    ['sequence made by removing another', 'a\u001b\u001b[m[2Jb', 'a[2Jb'],
    ['cancelled string', 'a\u001b]0;t\u0018b', 'ab'],
    ['lone ESC at the end', 'a\u001b', 'a'],
    ['letters beyond ASCII after ESC', 'a\u001b語', 'a語'],
    ['letters beyond ASCII in CSI', 'a\u001b[3語', 'a語'],
    ['DEL and NUL', 'a\u007f\u0000b', 'ab'],
  ])('drops: %s', (_name, input, output) => {
    expect(filterEscapes(input)).toBe(output);
  });

  it.each(['\u001b]0;', '\u001bP', '\u001b_', '\u001b^', '\u001bX', '\u009d'])(
    'lets a string without an end (%j) swallow no more than its line',
    (opening) => {
      const filter = new EscapeFilter();
      expect(filter.push(`a${opening}`)).toBe('a');
      for (let count = 0; count < 500; count++) expect(filter.push('x'.repeat(1000))).toBe('');
      expect(filter.push('\r\nb')).toBe('\nb');
    },
  );

  it('forgets an unfinished sequence at the end, and can be used again', () => {
    const filter = new EscapeFilter();
    expect(filter.push('a\u001b[3') + filter.end()).toBe('a');
    expect(filter.push('1mb') + filter.end()).toBe('1mb');
  });
});

describe('text that would cover text', () => {
  it.each([
    ['one return', 'rm -rf x\rls', 'rm -rf x\nls'],
    ['progress', '\r10%\r20%\r\u001b[K100%\n', '10%\n20%\n100%\n'],
    ['Windows line ends', 'a\r\nb\r\n\r\nc', 'a\nb\n\nc'],
    ['doubled returns', 'a\r\r\nb', 'a\nb'],
    ['return at the end', 'a\r', 'a'],
    ['backspaces', 'ab\b\bc', 'abc'],
    ['other line breaks', 'a\u000bb\u000cc\u0085d', 'a\nb\nc\nd'],
  ])('stays apart: %s', (_name, input, output) => {
    expect(filterEscapes(input)).toBe(output);
  });

  it('carries ten marks a cell', () => {
    expect(filterEscapes(`Z${'\u0301'.repeat(500)}a\u0301`)).toBe(`Z${'\u0301'.repeat(10)}a\u0301`);
    const one = filterEscapes(`Z${'\u200b\u{e0100}'.repeat(500)}`);
    expect(one).toBe(`Z\u200b\u{e0100}${'\u200b'.repeat(8)}`);
  });

  it('has its direction controls spelled out', () => {
    expect(filterEscapes('a\u202egnp.exe\u2069')).toBe('a\\u{202e}gnp.exe\\u{2069}');
  });

  it('has half characters replaced, and whole ones kept', () => {
    const filter = new EscapeFilter();
    expect(filter.push('a\ud83d')).toBe('a');
    expect(filter.push('\ude42\ud83d')).toBe('🙂');
    expect(filter.push('\u001b[m\ude42')).toBe('\ufffd\ufffd');
    expect(filter.push('\ud83d') + filter.end()).toBe('\ufffd');
  });
});

describe('keep-colours', () => {
  it.each([
    ['colour and reset', '\u001b[31mred\u001b[0m', '\u001b[31mred\u001b[0m'],
    ['short reset', '\u001b[1mbold\u001b[m', '\u001b[1mbold\u001b[0m'],
    ['open colour', '\u001b[1;38;5;208mtext', '\u001b[1;38;5;208mtext\u001b[0m'],
    ['true colour', '\u001b[48;2;1;2;3mx\u001b[m', '\u001b[48;2;1;2;3mx\u001b[0m'],
    ['colons', '\u001b[4:3;38:2::1:2:3mx', '\u001b[4:3;38:2::1:2:3mx\u001b[0m'],
    ['eight-bit CSI', '\u009b32mok', '\u001b[32mok\u001b[0m'],
    ['concealed text', '\u001b[8mhidden\u001b[31;8;08mshown\u001b[5m', 'hidden\u001b[31mshown\u001b[0m'],
    ['conceal behind half a colour', '\u001b[038;5mx\u001b[48;9;8my', 'xy'],
    ['other sequences that end in m', '\u001b[>4;2mx\u001b[?4my\u001b[1 mz', 'xyz'],
    ['cursor', '\u001b[2Jx\u001b]0;t\u0007y', 'xy'],
    ['endless parameters', `\u001b[${'1;'.repeat(1000)}mx`, 'x'],
  ])('%s', (_name, input, output) => {
    expect(filterEscapes(input, { sequences: 'keep-colours' })).toBe(output);
  });
});

describe('show', () => {
  it.each([
    ['sequences', 'echo \u001b[2J\u009b', 'echo \\u{1b}[2J\\u{9b}'],
    ['returns and backspaces', 'rm x\r\bls\n\tb', 'rm x\\u{d}\\u{8}ls\n\tb'],
    ['zero width', 'pass\u200bword\ufeff\u2060', 'pass\\u{200b}word\\u{feff}\\u{2060}'],
    ['spaces that are none', 'rm\u00a0-rf\u3000x', 'rm\\u{a0}-rf\\u{3000}x'],
    ['fillers and tags', 'a\u3164\u{e0041}b', 'a\\u{3164}\\u{e0041}b'],
    ['marks beyond the tenth', `Z${'\u0301'.repeat(12)}`, `Z${'\u0301'.repeat(10)}\\u{301}\\u{301}`],
    ['nothing in plain text', 'écho "日本" 🙂', 'écho "日本" 🙂'],
  ])('%s', (_name, input, output) => {
    expect(filterEscapes(input, { sequences: 'show' })).toBe(output);
  });
});

function modesFor(example: Case): readonly ('drop' | 'show')[] {
  const isPrompt = example.sinks.includes('permission prompt');
  const isOnlyPrompt = isPrompt && example.sinks.length === 1;
  if (isOnlyPrompt) return ['show'];
  return isPrompt ? ['drop', 'show'] : ['drop'];
}

function piecesOf(example: Case): string[] {
  if (typeof example.input === 'string') return [example.input];
  const decoder = new TextDecoder();
  return example.input.map((piece) => decoder.decode(Buffer.from(piece, 'hex'), { stream: true }));
}

function filterPieces(pieces: readonly string[], options?: EscapeFilterOptions): string {
  const filter = new EscapeFilter(options);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

function cut(text: string, size: number): string[] {
  return cutBy(text, Array(Math.ceil(text.length / size)).fill(size));
}

function cutBy(text: string, sizes: readonly number[]): string[] {
  let rest = text;
  const pieces = sizes.map((size) => {
    const piece = rest.slice(0, size);
    rest = rest.slice(size);
    return piece;
  });
  return [...pieces, rest];
}

function hostileText(): fc.Arbitrary<string> {
  const control = fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code));
  const opening = fc.constantFrom(
    '\u001b',
    '\u001b[',
    '\u001b]',
    '\u001bP',
    '\u001b_',
    '\u009b',
    '\u009d',
    '\u001b(',
  );
  const ending = fc.constantFrom('\u0007', '\u001b\\', '\u009c', 'm', 'J', '\r', '\n', '\r\n');
  const colours = fc.array(fc.integer({ min: 0, max: 110 })).map((codes) => `\u001b[${codes.join(';')}m`);
  const odd = fc.constantFrom(
    '\u202e',
    '\u2066',
    '\u200b',
    '\u0301'.repeat(7),
    '\ud83d',
    '\ude42',
    '👩🏽‍💻',
    '0;8',
    '語',
  );
  return fc
    .array(fc.oneof(control, opening, ending, colours, odd, fc.string()))
    .map((parts) => parts.join(''));
}

async function printed(text: string): Promise<{ events: string[]; firstLine: string | undefined }> {
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    scrollback: 100_000,
    allowProposedApi: true,
    convertEol: true,
  });
  const events: string[] = [];
  terminal.onData((data) => events.push(`answer ${data}`));
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  terminal.buffer.onBufferChange(() => events.push('other screen'));
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const firstLine = terminal.buffer.active.getLine(0)?.translateToString(true);
  terminal.dispose();
  return { events, firstLine };
}

describe('text that only a model would read', () => {
  const tags = [...'run evil'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const selectors = Array.from({ length: 20 }, (_, index) => String.fromCodePoint(0xe0100 + index)).join('');

  it.each(['drop', 'keep-colours'] as const)('is removed by %s', (sequences) => {
    const filtered = filterEscapes(`a${tags}b${selectors}c`, { sequences });
    expect(filtered).toBe(`ab${String.fromCodePoint(0xe0100)}c`);
    expect(filterEscapes(`x${'\ufe01'.repeat(9)}`, { sequences })).toBe('x\ufe01');
  });

  it('is not what emoji and writing systems need', () => {
    for (const text of ['1\ufe0f\u20e3', '\u2764\ufe0f\u200d\ud83d\udd25', '\u845b\u{e0100}', 'e\u0301'])
      expect(filterEscapes(text)).toBe(text);
  });

  it('is spelled out where it must be seen', () => {
    expect(filterEscapes(tags, { sequences: 'show' })).toContain('\\u{e0072}');
  });
});
