import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { Container } from '../components/container.ts';
import { Text } from '../components/text.ts';
import { type Capabilities, detectCapabilities } from '../terminal/capabilities.ts';
import type { CapabilityProbe } from '../terminal/capability-probe.ts';
import { VirtualTerminal } from '../terminal/virtual-terminal.ts';
import { cursorMark } from '../text/styled-text.ts';
import { adaptToTerminal, firstModes } from './adapt-to-terminal.ts';
import { OverlayStack } from './overlay-stack.ts';
import { Screen } from './screen.ts';
import { viewOf } from './view-of.ts';

/** A program on a virtual terminal, as an application puts it together. */
function start(environment: Record<string, string>) {
  const terminal = new VirtualTerminal(30, 8);
  const capabilities = detectCapabilities(environment, 'linux');
  const known: Capabilities[] = [];
  const input = new Text(`> ${cursorMark}`);
  const overlays = new OverlayStack();
  let probe: CapabilityProbe | undefined;
  const screen = new Screen(terminal, {
    render: (size) => viewOf(new Container([new Text('hello'), input]), size, overlays),
    input: (event) => {
      if (event.type === 'response') probe?.take(event.response);
    },
  });
  screen.start();
  const firstPaint = terminal.output;
  probe = adaptToTerminal({
    terminal,
    screen,
    capabilities,
    onChange: (next) => known.push(next),
    timeoutMs: 60_000,
  });
  return { terminal, screen, probe, known, firstPaint };
}

describe('adaptToTerminal', () => {
  it('paints first, then asks, and uses the answers', async () => {
    proves('P-81', 'P-101');
    const { terminal, probe, known, firstPaint } = start({ TERM: 'xterm-256color' });
    expect(firstPaint).toContain('hello');
    expect(firstPaint).not.toContain('\x1b[c');
    expect(terminal.output).toContain('\x1b[?2031h');
    terminal.type('\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?7u\x1b[?2026;2$y\x1b[?62c');
    const last = await probe.finished;
    expect(last).toMatchObject({ scheme: 'light', hasKittyKeyboard: true, isSynchronized: true });
    expect(terminal.output).not.toContain('\x1b[>4;2m');
    terminal.type('\x1b[?997;1n');
    expect(known.at(-1)?.scheme).toBe('dark');
  });

  it('falls back to the older way of telling keys apart', async () => {
    proves('P-76');
    const { terminal, screen, probe } = start({ TERM: 'xterm-256color' });
    terminal.type('\x1b[?62c');
    await probe.finished;
    expect(terminal.output).toContain('\x1b[>4;2m');
    await screen.stop();
    expect(terminal.output).toContain('\x1b[>4m');
    expect(terminal.output).toContain('\x1b[?2031l');
  });

  it('asks nothing of terminals that would print the question', async () => {
    const { terminal, probe } = start({ TERM: 'linux' });
    await probe.finished;
    expect(terminal.output).not.toContain('\x1b[c');
    expect(firstModes(detectCapabilities({ TERM: 'linux' }))).toEqual(['bracketedPaste']);
    expect(firstModes(detectCapabilities({ TERM: 'dumb' }))).toEqual([]);
    const modes = ['title', 'bracketedPaste', 'kittyKeyboard', 'focusReports'];
    expect(firstModes(detectCapabilities({ TERM: 'xterm' }))).toEqual(modes);
    expect(firstModes(detectCapabilities({ TERM: 'xterm-ghostty' }))).toEqual([...modes, 'progress']);
  });
});
