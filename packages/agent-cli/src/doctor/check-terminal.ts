import { type Capabilities, detectCapabilities } from '@robota-sdk/agent-tui';
import type { Finding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The capabilities of the terminal according to its environment, and the features it lacks. */
export function checkTerminal(env: Environment): readonly Finding[] {
  if (!process.stdout.isTTY) return [{ status: 'ok', what: 'none: the output is redirected' }];
  const { columns, rows } = process.stdout;
  const capabilities = detectCapabilities(env);
  return [
    {
      status: 'ok',
      what: `${programOf(capabilities, env)}, TERM=${env.TERM ?? '(not set)'}`,
    },
    { status: 'ok', what: `${columns} × ${rows}, ${coloursOf(capabilities, env)}` },
    unicodeFinding(capabilities, env),
    ...(capabilities.isDumb ? [plainFinding()] : [featuresFinding(capabilities)]),
  ];
}

/** Which program it is, and what stands between it and us. */
function programOf({ program, multiplexer }: Capabilities, env: Environment): string {
  const around = [...(multiplexer === 'none' ? [] : [multiplexer]), ...(env.SSH_CONNECTION ? ['ssh'] : [])];
  const name = program === '' ? 'unknown terminal' : program;
  return around.length === 0 ? name : `${name} (in ${around.join(', ')})`;
}

const colourNames: Readonly<Record<Capabilities['colours'], string>> = {
  none: 'no colors',
  '16': '16 colors',
  '256': '256 colors',
  true: '16 million colors',
};

function coloursOf({ colours }: Capabilities, env: Environment): string {
  return env.NO_COLOR ? 'no colors (NO_COLOR is set)' : colourNames[colours];
}

function unicodeFinding({ isUnicode }: Capabilities, { LC_ALL, LC_CTYPE, LANG }: Environment): Finding {
  if (isUnicode) return { status: 'ok', what: 'Unicode' };
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return {
    status: 'warning',
    what: `the locale ${locale === '' ? 'is not set' : `is ${locale}`}, so only ASCII characters are used`,
    advice: 'export LANG=C.UTF-8, or another locale with UTF-8.',
  };
}

function featuresFinding({ hasLinks, images, notification }: Capabilities): Finding {
  const parts = [
    images === 'none' ? 'images as text' : `images (${images})`,
    hasLinks ? 'links' : 'links as text',
    notification === 'bell' ? 'notifications (bell)' : 'notifications',
  ];
  return { status: 'ok', what: parts.join(', ') };
}

function plainFinding(): Finding {
  return { status: 'note', what: 'a simple terminal: Robota uses line mode' };
}
