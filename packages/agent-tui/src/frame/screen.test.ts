import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InputEvent } from '../input/input-event.ts';
import { VirtualTerminal } from '../terminal/virtual-terminal.ts';
import { type LiveView, Screen } from './screen.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A screen on a virtual terminal, with what the program shows and was told. */
function stage(columns = 40, rows = 10) {
  const terminal = new VirtualTerminal(columns, rows);
  const events: InputEvent[] = [];
  const state = { view: { lines: ['> '], cursor: { row: 0, column: 2 } } as LiveView, renders: 0, closed: 0 };
  const screen: Screen = new Screen(terminal, {
    render: () => {
      state.renders++;
      return state.view;
    },
    input: (event) => {
      events.push(event);
      if (event.type !== 'key') return;
      state.view = { lines: [`> ${event.text}`], cursor: { row: 0, column: 2 + event.text.length } };
      screen.refresh();
    },
    close: () => state.closed++,
  });
  return { terminal, screen, state, events };
}

/** The screen of a terminal emulator after all output. */
async function shown(terminal: VirtualTerminal): Promise<string[]> {
  return shownAfter(terminal.output, terminal.columns, terminal.rows);
}

async function shownAfter(output: string, cols: number, rows: number): Promise<string[]> {
  vi.useRealTimers();
  const emulator = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(output, resolve));
  const { active } = emulator.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd().split('\n');
}

describe('Screen', () => {
  it('paints at once, then at most thirty frames a second, each with one write', () => {
    proves('P-72');
    const { terminal, screen, state } = stage();
    screen.start();
    expect(state.renders).toBe(1);
    const before = terminal.writes.length;
    for (let count = 0; count < 100; count++) {
      state.view = { lines: [`tick ${count}`] };
      screen.refresh();
      vi.advanceTimersByTime(10);
    }
    const frames = terminal.writes.length - before;
    expect(frames).toBeGreaterThan(20);
    expect(frames).toBeLessThanOrEqual(30);
    expect(state.renders - 1).toBe(frames);
  });

  it('has no timer and writes nothing when nothing happens', () => {
    proves('P-72');
    const { terminal, screen } = stage();
    screen.start();
    const before = terminal.writes.length;
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    screen.refresh();
    vi.advanceTimersByTime(100);
    expect(terminal.writes).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('paints what a key changed before anything else', () => {
    proves('P-72');
    const { terminal, screen, state } = stage();
    screen.start();
    screen.refresh();
    terminal.type('a');
    expect(state.renders).toBe(2);
    expect(terminal.writes.at(-1)).toContain('a');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('decides by time that an escape is alone, and paints what it changed', () => {
    const { terminal, screen, events, state } = stage();
    screen.start();
    terminal.type('\x1b');
    expect(events).toEqual([]);
    vi.advanceTimersByTime(60);
    expect(events).toMatchObject([{ type: 'key', id: 'escape' }]);
    expect(state.renders).toBe(2);
  });

  it('loses nothing on a slow terminal but frames', async () => {
    proves('P-72');
    const { terminal, screen, state } = stage();
    screen.start();
    terminal.block();
    for (let count = 0; count < 50; count++) {
      screen.commit([`line ${count}`]);
      state.view = { lines: [`live ${count}`] };
      vi.advanceTimersByTime(100);
    }
    const written = terminal.writes.length;
    terminal.drain();
    vi.advanceTimersByTime(100);
    expect(terminal.writes.length).toBe(written + 1);
    const lines = await shown(terminal);
    expect(lines.filter((line) => line.startsWith('line '))).toEqual(
      Array.from({ length: 50 }, (_, count) => `line ${count}`),
    );
    expect(lines.at(-1)).toBe('live 49');
  });

  it('is no faster on a terminal that is free again at once, but for keys', () => {
    proves('P-72');
    const { terminal, screen, state } = stage();
    screen.start();
    for (let count = 0; count < 1000; count++) {
      terminal.block();
      state.view = { lines: [`tick ${count}`] };
      screen.refresh();
      vi.advanceTimersByTime(1);
      terminal.drain();
    }
    expect(state.renders).toBeLessThanOrEqual(31);
    vi.advanceTimersByTime(100);
    terminal.block();
    screen.refresh();
    vi.advanceTimersByTime(100);
    const { renders } = state;
    terminal.type('a');
    terminal.type('b');
    terminal.drain();
    expect(state.renders).toBe(renders + 2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('draws finished lines for the width there is when they are written', async () => {
    proves('P-72');
    const { terminal, screen } = stage(40, 10);
    screen.start();
    terminal.block();
    screen.commit(['first']);
    vi.advanceTimersByTime(100);
    screen.commit((columns) => [`made for ${columns}`]);
    terminal.resize(30, 10);
    terminal.drain();
    vi.advanceTimersByTime(100);
    expect((await shown(terminal)).slice(0, 2)).toEqual(['first', 'made for 30']);
  });

  it('paints for no size that the terminal has no more, also before it heard of the new one', async () => {
    const { terminal, screen, state } = stage(40, 10);
    screen.start();
    screen.commit(['first']);
    vi.advanceTimersByTime(100);
    const { renders } = state;
    terminal.resize(30, 10);
    terminal.resizeUnheard(20, 10);
    screen.commit((columns) => [`made for ${columns}`]);
    vi.advanceTimersByTime(100);
    expect(state.renders).toBe(renders);
    vi.advanceTimersByTime(100);
    expect(state.renders).toBe(renders + 1);
    terminal.resizeUnheard(25, 10);
    screen.commit((columns) => [`and for ${columns}`]);
    await screen.stop();
    expect((await shown(terminal)).slice(0, 3)).toEqual(['first', 'made for 20', 'and for 25']);
  });

  it.each(['live region', 'pager'])(
    'writes the whole %s again in a window that is back at its size',
    (part) => {
      const { terminal, screen, state } = stage(40, 10);
      const lines = ['first row', 'second row'];
      state.view = { lines, cursor: { row: 1, column: 0 } };
      screen.start();
      if (part === 'pager') screen.openFullScreen(() => ({ lines }));
      vi.advanceTimersByTime(500);
      const before = terminal.output.length;
      screen.refresh();
      vi.advanceTimersByTime(500);
      expect(terminal.output).toHaveLength(before);
      terminal.resize(40, 10);
      vi.advanceTimersByTime(500);
      const frame = terminal.output.slice(before);
      expect(lines.filter((line) => frame.includes(line))).toEqual(lines);
      const after = terminal.output.length;
      screen.refresh();
      vi.advanceTimersByTime(500);
      expect(terminal.output).toHaveLength(after);
    },
  );

  it('leaves a clean line to the shell at the end and after suspending, and comes back', async () => {
    const { terminal, screen } = stage();
    screen.start();
    screen.commit(['done']);
    vi.advanceTimersByTime(100);
    screen.suspend();
    expect(terminal.isSuspended).toBe(true);
    expect(terminal.output.endsWith('\x1b[<u\x1b[?2004l')).toBe(true);
    screen.commit(['while away']);
    terminal.write('$ fg\r\n');
    terminal.resume();
    await screen.stop();
    expect(terminal.isStarted).toBe(false);
    expect(await shown(terminal)).toEqual(['done', '$ fg', 'while away']);
  });

  it('lends the terminal to another program and takes it back, with what was finished meanwhile', async () => {
    const { terminal, screen } = stage();
    screen.start();
    const result = await screen.lend(async () => {
      expect(terminal.isStarted).toBe(false);
      screen.commit(['meanwhile']);
      terminal.write('editor was here\r\n');
      return 'edited';
    });
    expect(result).toBe('edited');
    expect(terminal.isStarted).toBe(true);
    const { output } = terminal;
    expect(output.lastIndexOf('\x1b[>7u')).toBeGreaterThan(output.lastIndexOf('\x1b[<u'));
    expect(await shown(terminal)).toEqual(['editor was here', 'meanwhile', '>']);
  });

  it('shows a pager on the second screen, at any size, and comes back to the live region', async () => {
    const { terminal, screen } = stage(20, 5);
    screen.start();
    screen.commit(['before']);
    vi.advanceTimersByTime(100);
    const pages = { first: 0 };
    const line = (row: number) => `page row ${pages.first + row}`;
    screen.openFullScreen(({ rows }) => ({ lines: Array.from({ length: rows }, (_, row) => line(row)) }));
    vi.advanceTimersByTime(100);
    terminal.resize(16, 4);
    vi.advanceTimersByTime(100);
    pages.first = 7;
    screen.commit(['meanwhile']);
    vi.advanceTimersByTime(100);
    const pager = terminal.output;
    expect(await shownAfter(pager, 16, 4)).toEqual(['page row 7', 'page row 8', 'page row 9', 'page row 10']);
    screen.closeFullScreen();
    screen.flush();
    expect(await shown(terminal)).toEqual(['before', 'meanwhile', '>']);
  });

  it('leaves the pager for what was finished behind it when the program ends or is suspended', async () => {
    const { terminal, screen } = stage();
    screen.start();
    screen.openFullScreen(() => ({ lines: ['pager'] }));
    screen.flush();
    screen.suspend();
    terminal.write('$ fg\r\n');
    terminal.resume();
    expect((await shownAfter(terminal.output, 40, 10))[0]).toBe('pager');
    screen.commit(['finished behind it']);
    await screen.stop();
    expect(await shown(terminal)).toEqual(['$ fg', 'finished behind it']);
  });

  it('says that the terminal is gone', () => {
    const { terminal, screen, state } = stage();
    screen.start();
    terminal.close();
    expect(state.closed).toBe(1);
  });
});
