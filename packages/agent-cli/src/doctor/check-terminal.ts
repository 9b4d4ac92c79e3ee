import type { Finding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the terminal can do, as far as it says so. */
export function checkTerminal(env: Environment): readonly Finding[] {
  if (!process.stdout.isTTY)
    return [{ area: 'terminal', status: 'ok', what: 'none: the output goes elsewhere' }];
  const { columns, rows } = process.stdout;
  return [
    { area: 'terminal', status: 'ok', what: `${programOf(env)}, TERM=${env.TERM ?? '(not set)'}` },
    { area: 'terminal', status: 'ok', what: `${columns} × ${rows}, ${coloursOf(env)}` },
    unicodeFinding(env),
    ...(env.TERM === undefined || env.TERM === 'dumb' ? [plainFinding()] : []),
  ];
}

/** Which program it is, by the variables it sets. */
function programOf(env: Environment): string {
  const around = [env.TMUX && 'tmux', env.STY && 'screen', env.SSH_CONNECTION && 'ssh']
    .filter(Boolean)
    .join(', ');
  const name =
    knownPrograms.find(([variable]) => env[variable])?.[1] ?? env.TERM_PROGRAM ?? 'unknown terminal';
  return around === '' ? name : `${name} (in ${around})`;
}

const knownPrograms: readonly (readonly [string, string])[] = [
  ['KITTY_WINDOW_ID', 'kitty (keyboard protocol, images)'],
  ['GHOSTTY_RESOURCES_DIR', 'Ghostty (keyboard protocol, images)'],
  ['WEZTERM_PANE', 'WezTerm (keyboard protocol, images)'],
  ['ITERM_SESSION_ID', 'iTerm2 (images)'],
  ['WT_SESSION', 'Windows Terminal'],
  ['ALACRITTY_WINDOW_ID', 'Alacritty'],
];

function coloursOf(env: Environment): string {
  if (env.NO_COLOR !== undefined) return 'no colours (NO_COLOR is set)';
  const depth = process.stdout.getColorDepth?.(env) ?? 1;
  const names: Readonly<Record<number, string>> = { 1: 'no colours', 4: '16 colours', 8: '256 colours' };
  return names[depth] ?? '16 million colours';
}

function unicodeFinding({ LC_ALL, LC_CTYPE, LANG }: Environment): Finding {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  if (process.platform === 'win32' || process.platform === 'darwin' || /utf-?8/i.test(locale))
    return { area: 'terminal', status: 'ok', what: 'Unicode' };
  return {
    area: 'terminal',
    status: 'warning',
    what: `the locale ${locale === '' ? 'is not set' : `is ${locale}`}, so characters may look wrong`,
    advice: 'export LANG=C.UTF-8, or another locale with UTF-8.',
  };
}

function plainFinding(): Finding {
  return { area: 'terminal', status: 'note', what: 'a simple terminal: Robota talks line by line in it' };
}
