import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StdinDecoder } from '../input/stdin-decoder.ts';
import { applyResponse, type Capabilities, detectCapabilities } from './capabilities.ts';
import { CapabilityProbe } from './capability-probe.ts';
import {
  clipboardSequence,
  linkSequence,
  notificationSequence,
  progressSequence,
  promptMarks,
  titleSequence,
} from './sequences.ts';

const utf8 = { LANG: 'en_US.UTF-8' };

afterEach(() => {
  vi.useRealTimers();
});

describe('detectCapabilities', () => {
  it('knows terminals by their environment', () => {
    proves('P-101');
    const cases: readonly (readonly [
      environment: Record<string, string>,
      expected: Partial<Capabilities>,
    ])[] = [
      [
        { TERM: 'xterm-kitty' },
        { program: 'kitty', images: 'kitty', colours: 'true', notification: 'osc99' },
      ],
      [
        { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' },
        { program: 'iterm2', images: 'iterm2', colours: 'true', hasLinks: true, hasProgress: true },
      ],
      [
        { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' },
        { program: 'wezterm', images: 'iterm2' },
      ],
      [{ TERM: 'xterm-ghostty' }, { program: 'ghostty', images: 'kitty', hasProgress: true }],
      [
        { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' },
        { reflow: 'all-but-cursor-line', colours: 'true' },
      ],
      [
        { TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' },
        { colours: '256', hasLinks: false },
      ],
      [
        { TERM: 'xterm-256color', XTERM_VERSION: 'XTerm(390)' },
        { reflow: 'none', colours: '256' },
      ],
      [{ TERM: 'linux' }, { colours: '16', reflow: 'none', hasLinks: false }],
      [{ TERM: 'dumb' }, { isDumb: true, colours: 'none' }],
      [{}, { isDumb: true, isUnicode: false }],
      [{ TERM: 'vt100' }, { isDumb: false, colours: '16', reflow: 'none', notification: 'bell' }],
      [
        { TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1', TERM_PROGRAM: 'tmux' },
        {
          multiplexer: 'tmux',
          program: 'kitty',
          reflow: 'all',
          sizeDelayMs: 250,
          images: 'none',
          colours: '256',
          hasLinks: true,
        },
      ],
      [
        { TERM: 'screen', STY: '1.x' },
        { multiplexer: 'screen', reflow: 'none', sizeDelayMs: 0 },
      ],
      [{ TERM: 'xterm', COLORTERM: 'truecolor' }, { colours: 'true' }],
      [{ TERM: 'xterm', COLORTERM: 'truecolor', NO_COLOR: '1' }, { colours: 'none' }],
      [{ TERM: 'xterm', NO_COLOR: '' }, { colours: '16' }],
      [{ TERM: 'xterm', LC_ALL: 'C', LANG: 'en_US.UTF-8' }, { isUnicode: false }],
      [{ TERM: 'xterm', COLORFGBG: '0;15' }, { scheme: 'light' }],
      [{ TERM: 'xterm', COLORFGBG: '15;default;0' }, { scheme: 'dark' }],
    ];
    for (const [environment, expected] of cases)
      expect(detectCapabilities(environment, 'linux'), JSON.stringify(environment)).toMatchObject(expected);
    expect(detectCapabilities({ TERM: 'xterm', ...utf8 }, 'linux').isUnicode).toBe(true);
    expect(detectCapabilities({ TERM: 'xterm' }, 'darwin').isUnicode).toBe(true);
  });

  it('learns from answers: background, scheme, size of cells, keyboard, frames', () => {
    proves('P-81', 'P-101');
    const first = detectCapabilities({ TERM: 'xterm', ...utf8 }, 'linux');
    const answers = '\x1b]11;rgb:ffff/ffff/eeee\x1b\\\x1b[6;20;10t\x1b[?0u\x1b[?2026;2$y';
    const events = new StdinDecoder().push(new TextEncoder().encode(answers));
    const last = events.reduce(
      (known, event) => (event.type === 'response' ? applyResponse(known, event.response) : known),
      first,
    );
    expect(last).toMatchObject({
      scheme: 'light',
      background: [255, 255, 238],
      cellSize: { width: 10, height: 20 },
      hasKittyKeyboard: true,
      isSynchronized: true,
    });
    expect(applyResponse(last, { kind: 'colour-scheme', scheme: 'dark' }).scheme).toBe('dark');
  });
});

describe('CapabilityProbe', () => {
  it('ends with the answer that every terminal gives', async () => {
    proves('P-101');
    const emulator = new xterm.Terminal({ allowProposedApi: true });
    const decoder = new StdinDecoder();
    const changes: Capabilities[] = [];
    const probe = new CapabilityProbe({
      capabilities: detectCapabilities({ TERM: 'xterm-256color', ...utf8 }, 'linux'),
      write: (query) => emulator.write(query),
      onChange: (capabilities) => changes.push(capabilities),
      timeoutMs: 60_000,
    });
    emulator.onData((data) => {
      for (const event of decoder.push(new TextEncoder().encode(data)))
        if (event.type === 'response') probe.take(event.response);
    });
    probe.start();
    await probe.finished;
    expect(probe.capabilities.program).toBe('');
  });

  it('gives a silent terminal up, and asks a dumb one nothing', async () => {
    proves('P-101');
    vi.useFakeTimers();
    const asked: string[] = [];
    const options = { write: (query: string) => void asked.push(query), onChange: () => {}, timeoutMs: 200 };
    const capabilities = detectCapabilities({ TERM: 'xterm' }, 'linux');
    const silent = new CapabilityProbe({ ...options, capabilities });
    silent.start();
    vi.advanceTimersByTime(200);
    expect(await silent.finished).toBe(capabilities);
    expect(vi.getTimerCount()).toBe(0);
    expect(asked).toHaveLength(1);
    const dumb = new CapabilityProbe({
      ...options,
      capabilities: detectCapabilities({ TERM: 'dumb' }, 'linux'),
    });
    dumb.start();
    await dumb.finished;
    expect(asked).toHaveLength(1);
  });
});

describe('sequences', () => {
  it('sets the title, with nothing in it that could end it', async () => {
    proves('P-80');
    const emulator = new xterm.Terminal({ allowProposedApi: true });
    const title = new Promise<string>((resolve) => emulator.onTitleChange(resolve));
    emulator.write(titleSequence('robota · a\x1b\\\x07b'));
    expect(await title).toBe('robota · a \\ b');
  });

  it('shows progress', () => {
    proves('P-78');
    expect(progressSequence({ state: 'normal', percent: 41.7 })).toBe('\x1b]9;4;1;42\x1b\\');
    expect(progressSequence({ state: 'indeterminate' })).toBe('\x1b]9;4;3;0\x1b\\');
    expect(progressSequence({ state: 'none' })).toBe('\x1b]9;4;0;0\x1b\\');
  });

  it('notifies in the way that the terminal knows', () => {
    const note = { title: 'Robota', body: 'done; 3 files' };
    const show = (
      notification: Capabilities['notification'],
      multiplexer: Capabilities['multiplexer'] = 'none',
    ) => notificationSequence(note, { notification, multiplexer });
    expect(show('osc9')).toBe('\x1b]9;Robota: done; 3 files\x1b\\');
    expect(show('osc777')).toBe('\x1b]777;notify;Robota;done, 3 files\x1b\\');
    expect(show('osc99')).toContain('\x1b]99;i=1:p=body;done; 3 files\x1b\\');
    expect(show('bell', 'tmux')).toBe('\x07');
    expect(show('osc9', 'tmux')).toBe('\x1bPtmux;\x1b\x1b]9;Robota: done; 3 files\x1b\x1b\\\x1b\\');
  });

  it('copies a text through tmux and screen', () => {
    const plain = '\x1b]52;c;7ZWc\x1b\\';
    expect(clipboardSequence('한', { multiplexer: 'none' })).toBe(plain);
    expect(clipboardSequence('한', { multiplexer: 'tmux' })).toBe(
      `${plain}\x1bPtmux;\x1b\x1b]52;c;7ZWc\x1b\x1b\\\x1b\\`,
    );
    const long = clipboardSequence('x'.repeat(2000), { multiplexer: 'screen' });
    const parts = long.split('\x1b\\').filter(Boolean);
    expect(parts.every((part) => part.startsWith('\x1bP') && part.length < 768)).toBe(true);
  });

  it('writes links and marks around prompts', () => {
    proves('P-108');
    expect(linkSequence('docs', 'https://a.example/\x07x')).toBe(
      '\x1b]8;;https://a.example/ x\x1b\\docs\x1b]8;;\x1b\\',
    );
    expect(promptMarks.promptStart + promptMarks.outputEnd).toBe('\x1b]133;A\x1b\\\x1b]133;D\x1b\\');
  });
});
