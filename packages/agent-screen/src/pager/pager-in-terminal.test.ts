import type { Item } from '@robota-sdk/agent-sessions';
import { extractCursor, Screen, VirtualTerminal } from '@robota-sdk/agent-tui';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { testStage } from '../screens/fixtures/test-stage.ts';
import { Pager } from './pager.ts';

const items = Array.from(
  { length: 300 },
  (_, index): Item =>
    index % 2 === 0
      ? { kind: 'user', text: `question ${index}` }
      : { kind: 'answer', text: `answer ${index} with **bold** words, 한국어 and a \`code\`` },
);

/** The pager on the second screen of a terminal that is read by an emulator. */
function openInTerminal() {
  const terminal = new VirtualTerminal(60, 12);
  const emulator = new xterm.Terminal({ cols: 60, rows: 12, allowProposedApi: true });
  const screen = new Screen(terminal, {
    render: () => ({ lines: ['> prompt'] }),
    input: (event) => input(event),
  });
  const pager = new Pager({ items, stage: testStage(), onClose: () => screen.closeFullScreen() });
  const input: (event: Parameters<Pager['handleInput']>[0]) => void = (event) => {
    pager.handleInput(event);
    screen.refresh();
  };
  screen.start();
  screen.commit(['said before']);
  screen.flush();
  screen.openFullScreen((size) => {
    pager.rows = size.rows;
    return extractCursor(pager.render(size.columns));
  });
  screen.flush();
  let written = 0;
  const rows = async (): Promise<readonly string[]> => {
    screen.flush();
    const bytes = terminal.writes.slice(written).join('');
    written = terminal.writes.length;
    await new Promise<void>((resolve) => emulator.write(bytes, resolve));
    const { active } = emulator.buffer;
    return Array.from({ length: emulator.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    });
  };
  const resize = (columns: number, height: number) => {
    emulator.resize(columns, height);
    terminal.resize(columns, height);
  };
  return { terminal, screen, emulator, rows, resize };
}

describe('Pager in a terminal', () => {
  it('shows the end on the second screen, moves by keys, and leaves the first screen as it was', async () => {
    const { terminal, emulator, rows, screen } = openInTerminal();
    const first = await rows();
    expect(emulator.buffer.active.type).toBe('alternate');
    expect(first[0]).toContain('History');
    expect(first[10]).toContain('answer 299');
    expect(first[11]).toContain('q back');
    terminal.type('g');
    expect((await rows())[1]).toContain('question 0');
    terminal.type('/answer 151\r');
    expect((await rows()).join('\n')).toContain('answer 151 with bold words, 한국어');
    terminal.type('q');
    const after = await rows();
    expect(emulator.buffer.active.type).toBe('normal');
    expect(after.slice(0, 2)).toEqual(['said before', '> prompt']);
    await screen.stop();
    for (const clearing of ['\x1b[2J', '\x1b[3J']) expect(terminal.output).not.toContain(clearing);
  });

  it('stays whole through a storm of sizes', async () => {
    const { rows, resize, screen } = openInTerminal();
    await rows();
    for (const [columns, height] of [
      [20, 5],
      [200, 50],
      [33, 8],
      [20, 24],
      [80, 12],
    ] as const) {
      resize(columns, height);
      const shown = await rows();
      expect(shown[0]).toContain('300 of 300');
      expect(shown.at(-2)).toMatch(/code`$/);
      expect(shown.at(-1)).toContain('q back');
    }
    await screen.stop();
  });
});
