import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { emptyFrame, planFrame } from './plan-frame.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const rows = 14;

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'robota-tmux-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Frames written into a window of a real tmux. */
class Window {
  #size = { columns: 60, rows };
  #shown = emptyFrame(this.#size);
  #tty: string;

  constructor() {
    const words = ['-x', String(this.#size.columns), '-y', String(rows)];
    this.#tmux('new-session', '-d', ...words, 'stty raw -echo && printf ready && exec sleep 1000');
    this.#tty = this.#tmux('display-message', '-p', '#{pane_tty}').trim();
  }

  async ready(): Promise<void> {
    await expect.poll(() => this.text()).toBe('ready');
    writeFileSync(this.#tty, '\r\x1b[K');
    await expect.poll(() => this.text()).toBe('');
  }

  /** Writes a frame and waits until tmux shows its last row. */
  async frame(live: readonly string[], commit: readonly string[] = []): Promise<void> {
    const cursor = { row: live.length - 2, column: 2 };
    const plan = planFrame(this.#shown, { commit, live, cursor }, this.#size);
    this.#shown = plan.shown;
    writeFileSync(this.#tty, encodeFrame(plan));
    await expect.poll(() => this.text().split('\n').slice(-live.length)).toEqual(live);
  }

  narrow(columns: number): void {
    this.#tmux('resize-window', '-x', String(columns));
    this.#size = { columns, rows };
  }

  /** Everything that tmux has of the window, the scrollback included. */
  text(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-').trimEnd();
  }

  close(): void {
    this.#tmux('kill-server');
  }

  #tmux(...words: readonly string[]): string {
    return execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...words], {
      encoding: 'utf8',
    });
  }
}

/** A list of so many wide rows above an editor. */
function region(columns: number, wide: number): string[] {
  const list = Array.from({ length: 4 }, (_, row) => (row < wide ? 'w'.repeat(columns) : `row ${row}`));
  return [...list, '-'.repeat(columns), `> ${wide}`, '='.repeat(columns)];
}

describe.skipIf(!hasTmux)('frames in tmux', () => {
  it('are cleared as a whole when the window becomes narrower, whatever longer rows were there before', async () => {
    proves('P-72');
    const window = new Window();
    try {
      await window.ready();
      const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`);
      await window.frame(region(60, 4), lines);
      await window.frame(region(60, 0));
      window.narrow(40);
      await window.frame(region(40, 0));
      expect(window.text().split('\n')).toEqual([...lines, ...region(40, 0)]);
    } finally {
      window.close();
    }
  });

  it('keep a filled row one row where tmux takes an emoji for wider than it is', async () => {
    const window = new Window();
    try {
      await window.ready();
      const hand = '\u{1f44b}\u{1f3fd}';
      await window.frame(region(60, 0), [`> ${hand}${' '.repeat(56)}`, 'next']);
      expect(window.text().split('\n')).toEqual([expect.stringContaining(hand), 'next', ...region(60, 0)]);
    } finally {
      window.close();
    }
  });

  it('leave no copy in the scrollback when the one before reached the top of the window', async () => {
    proves('P-72');
    const window = new Window();
    try {
      await window.ready();
      await window.frame(region(60, 0));
      window.narrow(40);
      await window.frame(region(40, 0));
      expect(window.text().match(/^> 0$/gm)).toHaveLength(1);
    } finally {
      window.close();
    }
  });
});
