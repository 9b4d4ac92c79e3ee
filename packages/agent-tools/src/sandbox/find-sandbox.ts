import { existsSync, readFileSync } from 'node:fs';
import { findProgram, helperEnvironment, orElse } from '@robota-sdk/agent-core';

/** The sandbox program of this system, or why there is none and the fix. */
export type SandboxTool =
  | { readonly kind: 'bubblewrap' | 'seatbelt'; readonly file: string }
  | { readonly kind: 'missing'; readonly reason: string; readonly advice: string };

/** Finds the sandbox of this system and tests it once per process. */
export function findSandbox(): Promise<SandboxTool> {
  found ??= search();
  return found;
}

let found: Promise<SandboxTool> | undefined;

async function search(): Promise<SandboxTool> {
  if (process.platform === 'darwin') return { kind: 'seatbelt', file: '/usr/bin/sandbox-exec' };
  if (process.platform !== 'linux') {
    const reason = `no sandbox for ${process.platform}`;
    return { kind: 'missing', reason, advice: 'Use Linux, WSL 2 or macOS, or run in a container.' };
  }
  const file = findSystemProgram('bwrap');
  if (file === undefined) {
    const advice = `Install it: ${installCommand()}.`;
    return { kind: 'missing', reason: 'bubblewrap (bwrap) is not installed', advice };
  }
  const failure = await tryBubblewrap(file);
  return failure === undefined ? { kind: 'bubblewrap', file } : explainSandboxFailure(failure, systemFacts());
}

const systemDirectories = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/run/current-system/sw/bin',
  '/run/wrappers/bin',
];

/** A program of the system; one that a project puts on the PATH must not replace it. */
export function findSystemProgram(name: string): string | undefined {
  return findProgram(name, { before: systemDirectories });
}

/** Tests everything that real commands need, because containers often allow only some of it. */
const trial = [
  ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net'],
  ...['--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'],
];

async function tryBubblewrap(file: string): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile(file, trial, { timeout: 10_000, env: helperEnvironment() }, (error, _, stderr) => {
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
  });
}

/** Kernel settings for namespaces; undefined if unknown. */
export interface SystemFacts {
  readonly usernsClone?: string | undefined;
  readonly apparmorRestriction?: string | undefined;
  readonly maxUserNamespaces?: string | undefined;
  readonly isContainer: boolean;
}

/** Explains why bubblewrap fails, and the fix. */
export function explainSandboxFailure(
  message: string,
  facts: SystemFacts,
): SandboxTool & { kind: 'missing' } {
  const reason = `bubblewrap does not work here (${message.split('\n')[0]})`;
  return { kind: 'missing', reason, advice: adviceFor(facts) };
}

function adviceFor(facts: SystemFacts): string {
  if (facts.isContainer)
    return 'Containers need to allow user namespaces: start this one with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or rely on the container and use --sandbox off.';
  if (facts.usernsClone === '0')
    return 'User namespaces are switched off: sudo sysctl -w kernel.unprivileged_userns_clone=1.';
  if (facts.maxUserNamespaces === '0')
    return 'User namespaces are switched off: sudo sysctl -w user.max_user_namespaces=15000.';
  if (facts.apparmorRestriction === '1')
    return 'AppArmor restricts user namespaces: give bwrap a profile (Ubuntu: sudo apt install apparmor-profiles, then sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ and sudo systemctl reload apparmor), or sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.';
  return 'Try `bwrap --ro-bind / / --proc /proc --unshare-all true` in a terminal; it has to succeed.';
}

function systemFacts(): SystemFacts {
  return {
    usernsClone: readFact('/proc/sys/kernel/unprivileged_userns_clone'),
    apparmorRestriction: readFact('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    maxUserNamespaces: readFact('/proc/sys/user/max_user_namespaces'),
    isContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  };
}

const packageManagers: readonly (readonly [program: string, command: string])[] = [
  ['apt-get', 'sudo apt install bubblewrap'],
  ['dnf', 'sudo dnf install bubblewrap'],
  ['pacman', 'sudo pacman -S bubblewrap'],
  ['zypper', 'sudo zypper install bubblewrap'],
  ['apk', 'sudo apk add bubblewrap'],
];

function installCommand(): string {
  const known = packageManagers.find(([program]) => findProgram(program) !== undefined);
  return known?.[1] ?? 'the package is called bubblewrap';
}

function readFact(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'utf8').trim(), undefined);
}
