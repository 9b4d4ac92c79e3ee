import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeImage } from '../image/encode-image.ts';
import { plainText, textWidth } from '../text/styled-text.ts';
import { encodeFrame } from './encode-frame.ts';
import { emptyFrame, type FrameSize, type NextFrame, planFrame, type ShownFrame } from './plan-frame.ts';

const forbidden = ['\x1b[2J', '\x1b[3J', '\x1bc', '\x1b[?1049h'];

/** Frames written into a real terminal emulator. */
class Stage {
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  bytes = '';
  #shown: ShownFrame;
  #size: FrameSize;

  constructor(columns: number, rows: number) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    this.#size = { columns, rows, reflow: 'all-but-cursor-line' };
    this.#shown = emptyFrame(this.#size);
  }

  get shown(): ShownFrame {
    return this.#shown;
  }

  async write(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.terminal.write(text, resolve));
  }

  async frame(next: NextFrame): Promise<string> {
    const plan = planFrame(this.#shown, next, this.#size);
    this.#shown = plan.shown;
    const bytes = encodeFrame(plan);
    this.bytes += bytes;
    await this.write(bytes);
    return bytes;
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#size = { ...this.#size, columns, rows };
  }

  /** Every line of scrollback and screen; those that the terminal broke are put together again. */
  lines(): string[] {
    const { active } = this.terminal.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      const text = line?.translateToString(true) ?? '';
      if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return lines;
  }

  /** The rows of the screen from a row relative to the cursor. */
  rowsFrom(offset: number, count: number): string[] {
    const { active } = this.terminal.buffer;
    const first = active.baseY + active.cursorY + offset;
    const rows = Array.from({ length: Math.min(count, active.length - first) }, (_, row) => first + row);
    return rows.map((row) => active.getLine(row)?.translateToString(true) ?? '');
  }

  expectLive(): void {
    const { lines, cursor } = this.#shown;
    const seen = this.rowsFrom(-cursor.row, lines.length).map((row) => row.trimEnd());
    expect(seen).toEqual(lines.map((line) => plainText(line).trimEnd()));
    expect(this.terminal.buffer.active.cursorX).toBe(cursor.column);
    // Nothing of an older frame is left below.
    expect(this.rowsFrom(lines.length - cursor.row, 50).join('')).toBe('');
  }
}

const word = fc.constantFrom(
  'alpha',
  'beta',
  '한국어',
  '中文',
  '\x1b[31mred\x1b[39m',
  'x',

  '- - -',
  '\x1b[44mbg',
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
/** Live regions whose last rows often stay the same, as an editor and a status do. */
const live = fc
  .tuple(fc.array(text, { maxLength: 10 }), fc.constantFrom([], ['> edit', '', 'status']))
  .map(([upper, lower]) => [...upper, ...lower])
  .chain((lines) =>
    fc.record({
      lines: fc.constant(lines),
      cursor: fc.option(fc.record({ row: fc.nat(Math.max(0, lines.length - 1)), column: fc.nat(30) }), {
        nil: undefined,
      }),
    }),
  );
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('frame' as const),
      live,
      commits: fc.oneof(fc.nat(3), fc.nat(40)),
      note: text,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('resize' as const),
      columns: fc.integer({ min: 20, max: 90 }),
      rows: fc.integer({ min: 4, max: 30 }),
      live,
    }),
  },
);

describe('planFrame and encodeFrame', () => {
  it('writes finished lines once, above a live region that is repainted where it changed', async () => {
    proves('P-72');
    const stage = new Stage(40, 10);
    await stage.write('$ robota\r\n');
    await stage.frame({ commit: [], live: ['working', '> '], cursor: { row: 1, column: 2 } });
    await stage.frame({
      commit: ['first', 'second'],
      live: ['working', '> a'],
      cursor: { row: 1, column: 3 },
    });
    expect(stage.lines().slice(0, 5)).toEqual(['$ robota', 'first', 'second', 'working', '> a']);
    stage.expectLive();
    const bytes = await stage.frame({ commit: [], live: ['working', '> ab'], cursor: { row: 1, column: 4 } });
    expect(bytes).not.toContain('working');
    expect(bytes.startsWith('\x1b[?2026h')).toBe(true);
    expect(bytes.endsWith('\x1b[?2026l')).toBe(true);
  });

  it('writes nothing when nothing changed', async () => {
    proves('P-72');
    const stage = new Stage(40, 10);
    const next = { commit: [], live: ['a', 'b'], cursor: { row: 0, column: 1 } };
    await stage.frame(next);
    expect(await stage.frame(next)).toBe('');
  });

  it('moves only the cursor when only the caret moved', async () => {
    proves('P-74');
    const stage = new Stage(40, 10);
    await stage.frame({ commit: [], live: ['abc', 'def'], cursor: { row: 0, column: 1 } });
    expect(await stage.frame({ commit: [], live: ['abc', 'def'], cursor: { row: 1, column: 3 } })).toBe(
      '\n\x1b[4G',
    );
    stage.expectLive();
    await stage.frame({ commit: [], live: ['abc', 'def'] });
    expect(stage.bytes.endsWith('\x1b[?25l')).toBe(true);
  });

  it('does not write a line again that was live and is now finished', async () => {
    proves('P-72');
    const stage = new Stage(40, 10);
    await stage.frame({ commit: [], live: ['streamed line', 'next', '> '] });
    const bytes = await stage.frame({ commit: ['streamed line'], live: ['next', 'more', '> '] });
    expect(bytes).not.toContain('streamed');
    expect(bytes).not.toContain('next');
    expect(stage.lines().slice(0, 4)).toEqual(['streamed line', 'next', 'more', '>']);
    stage.expectLive();
  });

  it('moves the editor down for a new line of a stream, and writes only what the stream brings', async () => {
    proves('P-72');
    const stage = new Stage(40, 8);
    const lower = ['working', '> text', 'status'];
    const cursor = (upper: number) => ({ row: upper + 1, column: 2 });
    await stage.frame({
      commit: ['earlier', 'lines'],
      live: ['streamed one', 'tw', ...lower],
      cursor: cursor(2),
    });
    const grown = await stage.frame({
      commit: [],
      live: ['streamed one', 'two', ...lower],
      cursor: cursor(2),
    });
    expect(grown).toBe('\x1b[?2026h\x1b[?25l\x1b[?7l\x1b[2A\x1b[3Go\n\n\x1b[3G\x1b[?7h\x1b[?25h\x1b[?2026l');
    for (const [count, line] of ['three', 'four', 'five', 'six'].entries()) {
      const upper = ['two', 'three', 'four', 'five'].slice(count, count + 1);
      const commit = [count === 0 ? 'streamed one' : (['two', 'three', 'four'][count - 1] ?? '')];
      const bytes = await stage.frame({ commit, live: [...upper, line, ...lower], cursor: cursor(2) });
      for (const unchanged of [...lower, ...commit, ...upper]) expect(bytes).not.toContain(unchanged);
      stage.expectLive();
    }
    const shorter = await stage.frame({ commit: [], live: ['six', ...lower], cursor: cursor(1) });
    expect(shorter).not.toContain('status');
    stage.expectLive();
    expect(stage.lines().slice(0, 10)).toEqual([
      'earlier',
      'lines',
      'streamed one',
      'two',
      'three',
      'four',
      'six',
      ...lower,
    ]);
  });

  it('keeps the live region shorter than the screen, with the caret in sight', async () => {
    proves('P-72');
    const stage = new Stage(20, 6);
    const lines = Array.from({ length: 20 }, (_, index) => `row ${index}`);
    await stage.frame({ commit: ['done'], live: lines, cursor: { row: 2, column: 0 } });
    expect(stage.shown.lines).toEqual(['row 2', 'row 3', 'row 4', 'row 5', 'row 6']);
    await stage.frame({ commit: [], live: lines });
    expect(stage.shown.lines.at(-1)).toBe('row 19');
    expect(stage.lines().filter((line) => line === 'done')).toHaveLength(1);
    stage.expectLive();
  });

  it('lets the terminal break finished lines that are too wide, so that they are copied whole, and cuts live ones', async () => {
    proves('P-72');
    const stage = new Stage(20, 10);
    await stage.frame({ commit: ['one two three four five six', 'a\tb\nc'], live: ['x'.repeat(50)] });
    expect(stage.lines().slice(0, 5)).toEqual([
      'one two three four five six',
      'a       b',
      'c',
      'x'.repeat(20),
      '',
    ]);
    expect(stage.rowsFrom(-4, 2)).toEqual(['one two three four f', 'ive six']);
    expect(stage.shown.lines.every((line) => textWidth(line) <= 20)).toBe(true);
  });

  it('writes tabs of finished lines as tabs, over nothing that was there, and a blank for one that a full row would swallow', async () => {
    const stage = new Stage(20, 10);
    await stage.frame({ commit: [], live: ['a live row', 'another one'] });
    const bytes = await stage.frame({ commit: ['\tcc\t-o', `${'x'.repeat(20)}\ty`], live: ['> \t.'] });
    expect(bytes).toContain('\tcc\t-o');
    expect(stage.lines()).toEqual([
      '        cc      -o',
      `${'x'.repeat(20)} y`,
      '>       .',
      ...Array(6).fill(''),
    ]);
    stage.expectLive();
  });

  it('writes the line of an image as it is, and continues below it', async () => {
    proves('P-100');
    const stage = new Stage(20, 10);
    const image = encodeImage({ data: 'A'.repeat(5000), columns: 4, rows: 2, id: 1 }, 'kitty');
    await stage.frame({ commit: [], live: ['> '] });
    const bytes = await stage.frame({
      commit: ['', '', image, 'caption'],
      live: ['> '],
      cursor: { row: 0, column: 2 },
    });
    expect(bytes).toContain(image);
    expect(stage.lines().slice(0, 5)).toEqual(['', '', '', 'caption', '>']);
    stage.expectLive();
  });

  it('keeps every finished line once and in order, and shows the live region, through any frames and resizes', async () => {
    proves('P-72', 'P-74');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const stage = new Stage(60, 12);
        const committed: string[] = [];
        for (const one of steps) {
          const commit: string[] = [];
          if (one.kind === 'resize') stage.resize(one.columns, one.rows);
          else
            for (let count = 0; count < one.commits; count++)
              commit.push(finishedLine(committed.length + commit.length, one.note));
          committed.push(...commit);
          await stage.frame({ commit, live: one.live.lines, cursor: one.live.cursor });
          stage.expectLive();
        }
        const numbers = stage
          .lines()
          .flatMap((line) => [...line.matchAll(/#(\d+)#/g)].map(([, number]) => Number(number)));
        expect(numbers).toEqual(committed.map((_, index) => index));
        for (const line of committed.filter((_, index) => index % 3 === 0)) {
          const isWhole = stage.lines().some((shown) => shown.trimEnd() === line);
          expect(isWhole, `${line} is in one piece`).toBe(true);
        }
        for (const sequence of forbidden) expect(stage.bytes).not.toContain(sequence);
      }),
      { numRuns: 120 },
    );
  });
});

const wideWords = [
  'wide',
  'ширина',
  'ひろい',
  '寬度',
  'مرحبا',
  'שלום',
  'cafe\u0301',
  '👍',
  '👩\u200d🚀',
  'ไทย',
];

/** Every third line is wider than any screen here, in many scripts. */
function finishedLine(number: number, note: string): string {
  const wide = wideWords[(number / 3) % wideWords.length] ?? '';
  return number % 3 === 0 ? `#${number}# ${`${wide} `.repeat(40)}end` : `#${number}# ${note}`;
}
