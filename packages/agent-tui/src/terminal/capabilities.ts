import type { Rgb, TerminalResponse } from '../input/input-event.ts';
import type { Reflow } from './terminal.ts';

/** How many colours a terminal shows. */
export type ColourDepth = 'none' | '16' | '256' | 'true';

/** The abilities of a terminal. Every field has a default that works everywhere. */
export interface Capabilities {
  /** The program, if its environment names it, such as `kitty` or `vscode`. */
  readonly program: string;
  /** It can't move its cursor: only lines of text can be shown. */
  readonly isDumb: boolean;
  readonly colours: ColourDepth;
  readonly isUnicode: boolean;
  readonly hasLinks: boolean;
  readonly hasProgress: boolean;
  readonly images: 'kitty' | 'iterm2' | 'none';
  readonly notification: 'osc9' | 'osc777' | 'osc99' | 'bell';
  readonly multiplexer: 'tmux' | 'screen' | 'none';
  readonly reflow: Reflow;
  /** Milliseconds that it may hold back a report of its size after another one, while it already has that size. */
  readonly sizeDelayMs: number;
  /** Known after it answered. */
  readonly isSynchronized: boolean;
  readonly hasKittyKeyboard: boolean;
  readonly scheme?: 'dark' | 'light';
  readonly background?: Rgb;
  /** In pixels. */
  readonly cellSize?: { readonly width: number; readonly height: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The capabilities known from the environment, without asking the terminal. */
export function detectCapabilities(
  environment: Environment,
  platform: string = process.platform,
): Capabilities {
  const { TERM: term = '' } = environment;
  const multiplexer = environment['TMUX']
    ? 'tmux'
    : environment['STY'] || /^screen/.test(term)
      ? 'screen'
      : 'none';
  const program = programOf(environment);
  const traits = traitsOf(multiplexer === 'none' ? program : multiplexer);
  // On Windows terminals do not set it at all.
  const isDumb = term === 'dumb' || term === 'unknown' || (term === '' && platform !== 'win32');
  return {
    program,
    isDumb,
    colours: isDumb ? 'none' : coloursOf(environment, program),
    isUnicode: isUnicode(environment, platform),
    hasLinks: !isDumb && traits.includes('links'),
    hasProgress: !isDumb && traits.includes('progress'),
    images: traits.includes('kitty-images') ? 'kitty' : traits.includes('iterm-images') ? 'iterm2' : 'none',
    notification: notificationOf(program),
    multiplexer,
    reflow: reflowOf(multiplexer === 'none' ? program : multiplexer, term),
    sizeDelayMs: multiplexer === 'tmux' ? 250 : 0,
    isSynchronized: false,
    hasKittyKeyboard: false,
    ...schemeOf(environment['COLORFGBG']),
  };
}

/** The capabilities after one more answer of the terminal. */
export function applyResponse(capabilities: Capabilities, response: TerminalResponse): Capabilities {
  switch (response.kind) {
    case 'colour':
      if (response.target === 'foreground') return capabilities;
      return { ...capabilities, background: response.rgb, scheme: isDark(response.rgb) ? 'dark' : 'light' };
    case 'colour-scheme':
      return { ...capabilities, scheme: response.scheme };
    case 'cell-size':
      return { ...capabilities, cellSize: { width: response.width, height: response.height } };
    case 'keyboard-flags':
      return { ...capabilities, hasKittyKeyboard: true };
    case 'mode':
      return response.mode === 2026
        ? { ...capabilities, isSynchronized: response.isSupported }
        : capabilities;
    case 'graphics':
      return response.isSupported ? { ...capabilities, images: 'kitty' } : capabilities;
    default:
      return capabilities;
  }
}

const programsByVariable: Readonly<Record<string, string>> = {
  KITTY_WINDOW_ID: 'kitty',
  GHOSTTY_RESOURCES_DIR: 'ghostty',
  WEZTERM_PANE: 'wezterm',
  ITERM_SESSION_ID: 'iterm2',
  WT_SESSION: 'windows-terminal',
  ALACRITTY_WINDOW_ID: 'alacritty',
  KONSOLE_VERSION: 'konsole',
  VTE_VERSION: 'vte',
  XTERM_VERSION: 'xterm',
};
const programsByName: Readonly<Record<string, string>> = {
  'iterm.app': 'iterm2',
  apple_terminal: 'apple-terminal',
};

function programOf(environment: Environment): string {
  const { TERM: term = '', TERM_PROGRAM: named = '' } = environment;
  const known = /^(?:xterm-)?(kitty|ghostty|wezterm|alacritty|foot|linux)\b/.exec(term)?.[1];
  if (known !== undefined) return known;
  const name = named.toLowerCase();
  // A multiplexer names itself here, though the terminal around it is another.
  if (name !== '' && name !== 'tmux' && name !== 'screen') return programsByName[name] ?? name;
  return Object.entries(programsByVariable).find(([variable]) => environment[variable])?.[1] ?? '';
}

type Trait = 'links' | 'progress' | 'kitty-images' | 'iterm-images';

function traitsOf(program: string): readonly Trait[] {
  switch (program) {
    case 'kitty':
      return ['links', 'kitty-images'];
    case 'ghostty':
      return ['links', 'progress', 'kitty-images'];
    case 'wezterm':
      return ['links', 'progress', 'iterm-images'];
    case 'iterm2':
      return ['links', 'progress', 'iterm-images'];
    case 'windows-terminal':
      return ['links', 'progress'];
    case 'konsole':
    case 'vte':
    case 'foot':
    case 'alacritty':
    case 'vscode':
    case 'tmux':
      return ['links'];
    default:
      return [];
  }
}

function coloursOf(environment: Environment, program: string): ColourDepth {
  const { TERM: term = '', COLORTERM: depth = '' } = environment;
  if (environment['NO_COLOR']) return 'none';
  if (/^(?:truecolor|24bit)$/i.test(depth) || term.endsWith('-direct')) return 'true';
  if (program === 'linux') return '16';
  const isPlain = !environment['TMUX'] && !environment['STY'];
  const isModern = [
    'kitty',
    'ghostty',
    'wezterm',
    'iterm2',
    'windows-terminal',
    'vscode',
    'alacritty',
    'foot',
  ];
  if (isPlain && isModern.includes(program)) return 'true';
  return /256colou?r/.test(term) || program === 'apple-terminal' ? '256' : '16';
}

function isUnicode(environment: Environment, platform: string): boolean {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'];
  if (locale) return /utf-?8/i.test(locale);
  return platform === 'darwin' || Boolean(environment['WT_SESSION']);
}

function notificationOf(program: string): Capabilities['notification'] {
  if (program === 'kitty') return 'osc99';
  if (['iterm2', 'wezterm', 'ghostty', 'windows-terminal'].includes(program)) return 'osc9';
  return ['foot', 'vte', 'konsole'].includes(program) ? 'osc777' : 'bell';
}

function reflowOf(program: string, term: string): Reflow {
  if (program === 'vscode') return 'all-but-cursor-line';
  const keeps = ['xterm', 'linux', 'screen'].includes(program) || /^(?:rxvt|vt\d|linux|st\b)/.test(term);
  return keeps ? 'none' : 'all';
}

/** rxvt and others tell their colours as `15;0`: foreground, background. */
function schemeOf(written: string | undefined): Pick<Capabilities, 'scheme'> {
  const background = /;(\d+)$/.exec(written ?? '')?.[1];
  if (background === undefined) return {};
  return { scheme: Number(background) === 7 || Number(background) > 8 ? 'light' : 'dark' };
}

/** Uses perceived brightness. */
function isDark([red, green, blue]: Rgb): boolean {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}
