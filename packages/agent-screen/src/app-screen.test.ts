import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { createRenderStyle, detectCapabilities, Editor, VirtualTerminal } from '@robota-sdk/agent-tui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppScreen } from './app-screen.ts';
import { createAppKeybindings } from './keys/app-actions.ts';
import { LiveConversation } from './live/live-conversation.ts';
import { Transcript } from './live/transcript.ts';
import type { Panel } from './stage/stage.ts';
import type { AppToken } from './theme/app-tokens.ts';

const frameMs = 34;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A screen with some finished items, in a run; counts what is drawn. */
function runningScreen(items: number) {
  const look = createRenderStyle<AppToken>();
  const keys = createAppKeybindings();
  const terminal = new VirtualTerminal(80, 24);
  const drawn = { footers: 0, editors: 0 };
  const screen = new AppScreen({
    terminal,
    capabilities: detectCapabilities({ TERM: 'xterm-256color', LANG: 'en_US.UTF-8' }),
    look,
    keys,
    isAnimated: true,
    stroke: () => {},
    input: (event) => void editor.handleInput(event),
    behind: () => {},
    close: () => {},
    adapt: () => {},
    footer: () => `footer ${++drawn.footers}`,
    todos: () => [],
    waiting: () => [],
    canMove: () => false,
  });
  const editor: Editor = new Editor({
    look,
    keybindings: keys,
    onSubmit: () => {},
    onChange: () => screen.refresh(),
  });
  const render = editor.render.bind(editor);
  editor.render = (columns) => {
    drawn.editors++;
    return render(columns);
  };
  const transcript = new Transcript({
    look,
    isThinkingHidden: () => true,
    commit: (lines) => screen.commit(lines),
  });
  const live = new LiveConversation({
    look,
    transcript,
    isThinkingHidden: () => true,
    redact: (text) => text,
  });
  screen.start(editor);
  screen.converse({ transcript, live });
  for (let index = 0; index < items; index++) transcript.print({ kind: 'user', text: `prompt ${index}` });
  live.take({ type: 'run-start' } as SessionEvent);
  screen.refresh();
  vi.advanceTimersByTime(frameMs);
  const say = (text: string) => {
    live.take({ type: 'text-delta', text } as SessionEvent);
    screen.refreshLive();
    vi.advanceTimersByTime(frameMs);
  };
  return { terminal, screen, drawn, say };
}

it('draws neither the editor nor the footer again for a part of an answer', () => {
  const { terminal, screen, drawn, say } = runningScreen(3);
  const before = { ...drawn };
  const words = Array.from({ length: 100 }, (_, index) => `word${index} `);
  for (const word of words) say(word);
  expect(drawn).toEqual(before);
  expect(terminal.output).toContain('word99');
  terminal.type('x');
  expect(drawn.editors).toBe(before.editors + 1);
  screen.refresh();
  vi.advanceTimersByTime(frameMs);
  expect(drawn.footers).toBe(before.footers + 2);
});

it('moves the working line while the rest is known', () => {
  const { terminal, drawn, say } = runningScreen(1);
  say('word');
  const before = { ...drawn };
  const written = terminal.output.length;
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(before);
  expect(terminal.output.slice(written)).toMatch(/Answering|1s/);
});

it('writes as much for an answer below a thousand items as below ten', () => {
  const cost = (items: number) => {
    const { terminal, say } = runningScreen(items);
    const before = terminal.output.length;
    for (let index = 0; index < 200; index++) say(index % 20 === 19 ? 'end.\n\n' : `word${index} `);
    return { bytes: terminal.output.length - before, writes: terminal.writes.length };
  };
  const few = cost(10);
  const many = cost(1000);
  expect(many.bytes).toBe(few.bytes);
  expect(many.writes).toBe(few.writes);
});

it('tells a question which keys went elsewhere: to the picker it covers, the shell or a full screen', async () => {
  const { terminal, screen } = runningScreen(1);
  const told: number[] = [];
  const picker = (): Panel => ({
    rows: 5,
    render: () => ['pick'],
    handleInput: () => true,
    invalidate: () => {},
  });
  const question = (): Panel => ({ ...picker(), keysElsewhere: (until) => told.push(until) });
  screen.openPanel(picker());
  terminal.type('x');
  const typedAt = performance.now();
  vi.advanceTimersByTime(300);
  const asked = screen.openPanel(question());
  expect(told).toEqual([typedAt]);
  // A question that follows another one interrupted nothing.
  terminal.type('y');
  screen.openPanel(question());
  expect(told).toHaveLength(1);
  terminal.suspend();
  vi.advanceTimersByTime(10);
  terminal.resume();
  expect(told).toEqual([typedAt, performance.now()]);
  await screen.lend(async () => vi.advanceTimersByTime(10));
  expect(told.at(-1)).toBe(performance.now());
  vi.advanceTimersByTime(10);
  screen.openScreen(picker()).close();
  expect(told).toHaveLength(4);
  expect(told.at(-1)).toBe(performance.now());
  asked.close();
});
