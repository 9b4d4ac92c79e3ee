import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { dialects, type HostEnvironment, userFolder, userPaths } from '@robota-sdk/agent-config';
import { childPath, type JsonValue, orElse, robotaDirectories } from '@robota-sdk/agent-core';
import { parseSandbox, type SandboxAccess, type SandboxMode } from '@robota-sdk/agent-tools';
import type { LoadedConfig } from '../source/loaded-config.ts';

/** Options of the caller that override the sandbox settings. */
export interface SandboxChoice {
  readonly mode?: SandboxMode | undefined;
  readonly writable?: readonly string[] | undefined;
  readonly readable?: readonly string[] | undefined;
  /** Hosts that commands may reach. */
  readonly hosts?: readonly string[] | undefined;
}

/** Combines the setting `sandbox` with the session's options; keys are hidden wherever they are stored. */
export function chooseSandbox({ settings, host }: LoadedConfig, choice: SandboxChoice = {}): SandboxAccess {
  const written = parseSandbox(settings.sandbox);
  const { policy } = written;
  const { auth, trust, links, web } = userPaths(host);
  const { config, data, state, cache } = robotaDirectories(host);
  return {
    mode: choice.mode ?? written.mode,
    policy: {
      network: networkOf(policy.network, choice.hosts ?? []),
      writable: [...policy.writable, ...(choice.writable ?? [])],
      readable: [...resourceFolders(host), ...policy.readable, ...(choice.readable ?? [])],
      hidden: [...policy.hidden, ...new Set([config, data, state, cache]), auth, trust, links, web],
      homes: systemHome(),
    },
  };
}

/** The user's skills and plugins contain scripts that commands run. */
function resourceFolders(host: HostEnvironment): string[] {
  const folders = dialects.flatMap((dialect) => {
    const folder = userFolder(dialect, host);
    return ['plugins', ...Object.values(dialect.resources).flat()].map((name) => childPath(folder, name));
  });
  return [...new Set(folders)];
}

/** The system's home directory may differ from that of the environment. */
function systemHome(): string[] {
  return orElse(() => [userInfo().homedir].filter(isAbsolute), []);
}

type Network = SandboxAccess['policy']['network'];

function networkOf(written: Network, hosts: readonly string[]): Network {
  if (hosts.length === 0 || written === 'on') return written;
  const allow = written === 'off' ? hosts : [...written.allow, ...hosts];
  const network: JsonValue = { allow: [...allow] };
  return parseSandbox({ network }).policy.network;
}
