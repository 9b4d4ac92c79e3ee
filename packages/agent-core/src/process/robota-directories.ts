import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { AgentError } from '../problem/agent-error.ts';

/** The user's Robota folders. */
export interface RobotaDirectories {
  /** One folder for everything, or those of the XDG Base Directory Specification. */
  readonly layout: 'single' | 'xdg';
  /** Settings, keys, models, and the user's skills, agents and plugins. */
  readonly config: string;
  /** Sessions, worktrees, the files of a fleet, optional packages. */
  readonly data: string;
  /** Trust, approvals, shown warnings, prompt history, spending. */
  readonly state: string;
  /** Files that can be recreated. */
  readonly cache: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the specification, each with its default folder below the home directory. */
const kinds = {
  config: ['XDG_CONFIG_HOME', '.config'],
  data: ['XDG_DATA_HOME', '.local/share'],
  state: ['XDG_STATE_HOME', '.local/state'],
  cache: ['XDG_CACHE_HOME', '.cache'],
} as const;

const chosen = new Map<string, RobotaDirectories>();

/**
 * The folders of a user: `ROBOTA_HOME`, otherwise `~/.robota`. If that does not exist and a variable of the
 * specification is set, all four follow the specification. The choice lasts for the life of the process.
 */
export function robotaDirectories({
  env,
  home,
}: {
  readonly env: Environment;
  readonly home: string;
}): RobotaDirectories {
  const moved = env.ROBOTA_HOME;
  if (moved) {
    if (isAbsolute(moved)) return singleFolder(moved);
    // A relative folder would lie in the repository where the session is started.
    throw new AgentError('config', `ROBOTA_HOME must be an absolute path, not "${moved}".`);
  }
  const places = Object.values(kinds).map(([variable]) => env[variable] ?? '');
  // The specification says to ignore relative paths.
  if (!places.some((place) => isAbsolute(place))) return singleFolder(join(home, '.robota'));
  const key = [home, ...places].join('\0');
  const known = chosen.get(key) ?? choose(env, home);
  chosen.set(key, known);
  return known;
}

function choose(env: Environment, home: string): RobotaDirectories {
  const own = join(home, '.robota');
  if (existsSync(own)) return singleFolder(own);
  const folder = (kind: keyof typeof kinds) => {
    const [variable, usual] = kinds[kind];
    const named = env[variable] ?? '';
    return join(isAbsolute(named) ? named : join(home, usual), 'robota');
  };
  return {
    layout: 'xdg',
    config: folder('config'),
    data: folder('data'),
    state: folder('state'),
    cache: folder('cache'),
  };
}

function singleFolder(root: string): RobotaDirectories {
  return { layout: 'single', config: root, data: root, state: root, cache: join(root, 'cache') };
}
