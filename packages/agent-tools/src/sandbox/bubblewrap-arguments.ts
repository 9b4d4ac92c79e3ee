import { isWithin } from '@robota-sdk/agent-core';
import type { SandboxEntry, SandboxPlan } from './sandbox-plan.ts';

/** Values bubblewrap needs besides the plan: files we supply, and features of this machine. */
export interface BubblewrapHost {
  /** A session directory that commands see as their temporary directory. */
  readonly temporary: string;
  /** The system's temporary directories that exist. */
  readonly temporaryMounts: readonly string[];
  /** A file without any permission, shown instead of hidden files. */
  readonly unreadable: string;
  /** Replacement files, by the path of the original. */
  readonly copies: ReadonlyMap<string, string>;
  /** The proxy's socket, if only some hosts are allowed. */
  readonly proxySocket?: string | undefined;
  /** The node that forwards connections to it; it may be in a directory that is replaced inside. */
  readonly node?: string | undefined;
  /** `/run` contains sockets of other programs, through which a command could escape; not every system has it. */
  readonly hasRun: boolean;
  /** Kernel settings in `/proc`: bubblewrap leaves most of them writable for root. */
  readonly kernelSettings: readonly string[];
}

/** The path of the proxy's socket inside; `/dev` is the only directory that is always ours. */
export const innerProxySocket = '/dev/robota-proxy';

/** The path of node inside, for the forwarder. */
export const innerNode = '/dev/robota-node';

// Paths in `/run` that some systems need to find programs or resolve names.
const neededInRun = [
  '/run/current-system',
  '/run/opengl-driver',
  '/run/systemd/resolve',
  '/run/wrappers',
  '/run/resolvconf',
];

/** The arguments of `bwrap` up to `--`; the command follows. */
export function bubblewrapArguments(plan: SandboxPlan, host: BubblewrapHost): string[] {
  return [
    ...namespaces(plan),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...host.kernelSettings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...(host.hasRun
      ? ['--tmpfs', '/run', ...neededInRun.flatMap((path) => ['--ro-bind-try', path, path])]
      : []),
    ...host.temporaryMounts.flatMap((path) => ['--bind', host.temporary, path]),
    ...plan.places.flatMap((place) => mount(place, host, plan)),
    ...plan.places.flatMap((place) => (isOpen(place, plan) ? ['--remount-ro', place.path] : [])),
    ...(host.proxySocket === undefined ? [] : ['--bind', host.proxySocket, innerProxySocket]),
    ...(host.node === undefined ? [] : ['--ro-bind', host.node, innerNode]),
    ...['--chdir', plan.cwd, '--'],
  ];
}

function namespaces({ network }: SandboxPlan): string[] {
  return [
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(network === 'on' ? [] : ['--unshare-net']),
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
  ];
}

function mount(place: SandboxEntry, host: BubblewrapHost, plan: SandboxPlan): string[] {
  const { path, access, isDirectory } = place;
  // A path may disappear before it is mounted; then there is nothing to protect either.
  if (access === 'write') return ['--bind-try', path, path];
  if (access === 'read') return ['--ro-bind-try', host.copies.get(path) ?? path, path];
  if (!isDirectory) return ['--ro-bind', host.unreadable, path];
  if (isOpen(place, plan)) return ['--tmpfs', path];
  return ['--perms', '0000', '--tmpfs', path, '--remount-ro', path];
}

/**
 * True if a hidden directory can be entered because parts of it are visible; it becomes read-only when these are
 * mounted.
 */
function isOpen(place: SandboxEntry, { places }: SandboxPlan): boolean {
  const holdsOthers = () => places.some((other) => other !== place && isWithin(place.path, other.path));
  return place.access === 'none' && place.isDirectory && (place.isEmptied === true || holdsOthers());
}
