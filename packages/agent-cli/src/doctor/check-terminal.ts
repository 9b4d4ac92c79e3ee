import { type Capabilities, detectCapabilities } from '@robota-sdk/agent-tui';
import type { Finding } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The capabilities of the terminal according to its environment, and the features it lacks. */
export function checkTerminal(env: Environment): readonly Finding[] {
  if (!process.stdout.isTTY)
    return [{ area: 'terminal', status: 'ok', what: 'none: the output goes elsewhere' }];
  const { columns, rows } = process.stdout;
  const capabilities = detectCapabilities(env);
  return [
    {
      area: 'terminal',
      status: 'ok',
      what: `${programOf(capabilities, env)}, TERM=${env.TERM ?? '(not set)'}`,
    },
    { area: 'terminal', status: 'ok', what: `${columns} × ${rows}, ${coloursOf(capabilities, env)}` },
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
  none: 'no colours',
  '16': '16 colours',
  '256': '256 colours',
  true: '16 million colours',
};

function coloursOf({ colours }: Capabilities, env: Environment): string {
  return env.NO_COLOR ? 'no colours (NO_COLOR is set)' : colourNames[colours];
}

function unicodeFinding({ isUnicode }: Capabilities, { LC_ALL, LC_CTYPE, LANG }: Environment): Finding {
  if (isUnicode) return { area: 'terminal', status: 'ok', what: 'Unicode' };
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return {
    area: 'terminal',
    status: 'warning',
    what: `the locale ${locale === '' ? 'is not set' : `is ${locale}`}, so only ASCII characters are used for signs`,
    advice: 'export LANG=C.UTF-8, or another locale with UTF-8.',
  };
}

function featuresFinding({ hasLinks, images, notification }: Capabilities): Finding {
  const parts = [
    images === 'none' ? 'images as a line of text' : `images (${images})`,
    hasLinks ? 'links' : 'links written out',
    notification === 'bell' ? 'notifications by the bell' : 'notifications',
  ];
  return { area: 'terminal', status: 'ok', what: parts.join(', ') };
}

function plainFinding(): Finding {
  return { area: 'terminal', status: 'note', what: 'a simple terminal: Robota talks line by line in it' };
}
