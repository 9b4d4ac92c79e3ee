import { AgentError, isJsonObject, type JsonValue, type StateKey } from '@robota-sdk/agent-core';
import { hostPatternProblem } from './host-pattern.ts';

/** `auto` runs commands without a sandbox if there is none; `required` refuses to. */
export type SandboxMode = 'off' | 'auto' | 'required';

export const sandboxModes: readonly SandboxMode[] = ['off', 'auto', 'required'];

/** Permissions of sandboxed commands beyond reading the system and writing the workspace. */
export interface SandboxPolicy {
  /** `on`: the network of this machine. `allow`: only these hosts, by HTTP and HTTPS. */
  readonly network: 'off' | 'on' | { readonly allow: readonly string[] };
  /** Writable files and directories, including protected ones inside the workspace. */
  readonly writable: readonly string[];
  /** Readable paths that are hidden by default, such as `~/.gnupg`. */
  readonly readable: readonly string[];
  /** More paths that must not be read. */
  readonly hidden: readonly string[];
  /** Home directories to hide besides the workspace's, such as the one in the system's user database. */
  readonly homes?: readonly string[];
}

/** The sandbox settings of a session's commands. */
export interface SandboxAccess {
  mode: SandboxMode;
  policy: SandboxPolicy;
}

/** Without network and without grants. */
export const strictPolicy: SandboxPolicy = { network: 'off', writable: [], readable: [], hidden: [] };

/** A session's sandbox. Default: off. */
export const sandboxAccess: StateKey<SandboxAccess> = {
  name: 'sandboxAccess',
  create: () => ({ mode: 'off', policy: strictPolicy }),
};

/** Reads the setting `sandbox`, a mode or an object; throws if it is invalid. */
export function parseSandbox(value: JsonValue | undefined): SandboxAccess {
  if (value === undefined) return { mode: 'off', policy: strictPolicy };
  if (typeof value === 'string') return { mode: parseMode(value), policy: strictPolicy };
  if (!isJsonObject(value)) throw invalid('sandbox must be "off", "auto", "required" or an object.');
  const unknown = Object.keys(value).find((key) => !settingNames.includes(key));
  if (unknown !== undefined)
    throw invalid(`sandbox.${unknown} is unknown. Available: ${settingNames.join(', ')}.`);
  const { mode, network, writable, readable, hidden } = value;
  return {
    mode: mode === undefined ? 'auto' : parseMode(mode),
    policy: {
      network: parseNetwork(network),
      writable: parsePaths('writable', writable),
      readable: parsePaths('readable', readable),
      hidden: parsePaths('hidden', hidden),
    },
  };
}

const settingNames = ['mode', 'network', 'writable', 'readable', 'hidden'];

function parseMode(value: JsonValue): SandboxMode {
  const mode = sandboxModes.find((known) => known === value);
  if (mode === undefined)
    throw invalid(`The sandbox mode is ${sandboxModes.join(', ')}; not ${JSON.stringify(value)}.`);
  return mode;
}

function parseNetwork(value: JsonValue | undefined): SandboxPolicy['network'] {
  if (value === undefined || value === 'off') return 'off';
  if (value === 'on') return 'on';
  const allow = isJsonObject(value) ? value.allow : undefined;
  if (!isStringList(allow)) throw invalid('sandbox.network must be "off", "on" or {"allow": ["host", …]}.');
  for (const pattern of allow) {
    const problem = hostPatternProblem(pattern);
    if (problem !== undefined) throw invalid(`sandbox.network.allow: ${problem}`);
  }
  return { allow };
}

function parsePaths(name: string, value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!isStringList(value) || value.some((path) => path.trim() === ''))
    throw invalid(`sandbox.${name} must be a list of paths.`);
  return value;
}

function isStringList(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalid(message: string): AgentError {
  return new AgentError('config', message);
}
