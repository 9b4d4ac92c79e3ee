import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { VirtualTerminal } from '../terminal/virtual-terminal.ts';
import type { Cursor } from './plan-frame.ts';
import { Screen, type ScreenOptions, type ScreenSize } from './screen.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A screen and an emulator that are some time apart: bytes, answers and the word of a new size take it, each way. */
class Distance {
  readonly screen: Screen;
  readonly #terminal: VirtualTerminal;
  readonly #emulator: InstanceType<typeof xterm.Terminal>;
  readonly #milliseconds: number;
  #sent = 0;
  seconds = 0;
  /** None in a table; an editor has one in the middle of its rows. */
  cursor: Cursor | undefined;

  constructor(
    milliseconds: number,
    { columns, rows, ...options }: Pick<ScreenOptions, 'sizeDelayMs'> & ScreenSize,
  ) {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'],
    });
    this.#milliseconds = milliseconds;
    this.#terminal = new VirtualTerminal(columns, rows);
    this.#emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
    this.#emulator.onData((answer) => setTimeout(() => this.#terminal.type(answer), milliseconds));
    this.screen = new Screen(this.#terminal, {
      reflow: 'all-but-cursor-line',
      ...options,
      render: (size) => ({ lines: this.#lines(size.columns), cursor: this.cursor }),
      input: () => {},
    });
    this.screen.start();
    // Any answer tells that this terminal gives some.
    this.#terminal.type('\x1b[?62c');
  }

  /** Lets time pass, a millisecond at a time. */
  pass(milliseconds: number): void {
    for (let past = 0; past < milliseconds; past++) {
      const { writes } = this.#terminal;
      const bytes = writes.slice(this.#sent).join('');
      this.#sent = writes.length;
      // Halves of a frame come one after the other.
      for (const half of [bytes.slice(0, bytes.length / 2), bytes.slice(bytes.length / 2)])
        if (half !== '') setTimeout(() => this.#emulator.write(half), this.#milliseconds);
      vi.advanceTimersByTime(1);
    }
  }

  /** `late` is how long the terminal holds back the report of it. */
  resize(columns: number, rows: number, late = 0): void {
    this.#emulator.resize(columns, rows);
    setTimeout(() => this.#terminal.resize(columns, rows), this.#milliseconds + late);
  }

  rows(): string[] {
    const { active } = this.#emulator.buffer;
    const rows = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return rows.join('\n').trimEnd().split('\n');
  }

  #lines(columns: number): string[] {
    const task = (name: string) => `${name.padEnd(columns - 8)}${this.seconds}s`;
    return [`Fleet ${this.seconds}s`, task('a'), task('b'), task('c'), 'enter follow'];
  }
}

/** A conversation of lines and changes of size, with such waits in between. */
const stepsWith = (waits: readonly number[]) =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.record({ lines: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 3, arbitrary: fc.record({ wait: fc.constantFrom(...waits) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          columns: fc.integer({ min: 20, max: 90 }),
          rows: fc.integer({ min: 7, max: 20 }),
        }),
      },
    ),
    { minLength: 3, maxLength: 16 },
  );
type Step =
  | { readonly lines: number }
  | { readonly wait: number }
  | { readonly columns: number; readonly rows: number };

/** Does the steps, and tells the numbers of the lines that are left and how many there were. */
function numbersAfter(there: Distance, steps: readonly Step[]): { numbers: number[]; all: number[] } {
  let count = 0;
  for (const step of steps) {
    if ('lines' in step) there.screen.commit(Array.from({ length: step.lines }, () => `#${count++}#`));
    else if ('wait' in step) there.pass(step.wait);
    else there.resize(step.columns, step.rows);
  }
  there.pass(900);
  vi.useRealTimers();
  const numbers = there
    .rows()
    .flatMap((row) => [...row.matchAll(/#(\d+)#/g)].map(([, number]) => Number(number)));
  return { numbers, all: Array.from({ length: count }, (_, index) => index) };
}

const cursors = fc.constantFrom(undefined, { row: 2, column: 4 });

describe('a screen in a window that changes its size', () => {
  it('loses no finished line, at whatever moment of whichever frame that happens, near or far away', () => {
    proves('P-72');
    const distances = fc.constantFrom(0, 1, 10, 60);
    fc.assert(
      fc.property(distances, cursors, stepsWith([1, 7, 40, 85, 100, 300]), (milliseconds, cursor, steps) => {
        const there = new Distance(milliseconds, { columns: 60, rows: 12 });
        there.cursor = cursor;
        const { numbers, all } = numbersAfter(there, steps);
        expect([...new Set(numbers)]).toEqual(all);
      }),
      { numRuns: 150 },
    );
  });

  it('shows each finished line once unless a frame and a change of size pass each other on their way', () => {
    proves('P-72');
    fc.assert(
      fc.property(cursors, stepsWith([40, 130, 300]), (cursor, steps) => {
        const there = new Distance(1, { columns: 60, rows: 12 });
        there.cursor = cursor;
        const { numbers, all } = numbersAfter(there, steps);
        expect(numbers).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  it('loses no finished line in a terminal that reports its first size of a drag at once and the last one late, as tmux does', () => {
    proves('P-72');
    for (const between of [5, 60, 120, 240]) {
      const there = new Distance(1, { columns: 100, rows: 20, sizeDelayMs: 250 });
      there.screen.commit(['one', 'two', 'three']);
      there.pass(500);
      there.resize(90, 20);
      there.pass(between);
      there.resize(50, 20, 250 - between);
      for (let frames = 0; frames < 10; frames++) {
        there.seconds++;
        there.screen.refresh();
        there.pass(60);
      }
      const table = ['Fleet 10s', ...['a', 'b', 'c'].map((name) => `${name.padEnd(42)}10s`), 'enter follow'];
      expect(there.rows()).toEqual(['one', 'two', 'three', ...table]);
      vi.useRealTimers();
    }
  });

  it('leaves nothing of a table above it when the window becomes narrower soon after a frame, at once or in steps', () => {
    for (const steps of [1, 4]) {
      const there = new Distance(1, { columns: 100, rows: 20 });
      there.screen.commit(['$ robota fleet run', 'one']);
      there.pass(500);
      there.seconds = 1;
      there.screen.refresh();
      there.pass(60);
      for (let at = 1; at <= steps; at++) {
        there.resize(100 - (40 * at) / steps, 20);
        there.pass(16);
      }
      there.pass(500);
      const table = ['Fleet 1s', ...['a', 'b', 'c'].map((name) => `${name.padEnd(52)}1s`), 'enter follow'];
      expect(there.rows()).toEqual(['$ robota fleet run', 'one', ...table]);
      vi.useRealTimers();
    }
  });
});
