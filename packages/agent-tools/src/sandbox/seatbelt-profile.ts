import { protectedNames } from '@robota-sdk/agent-core';
import type { SandboxPlan } from './sandbox-plan.ts';

/** Values the profile needs besides the plan. */
export interface SeatbeltHost {
  /** A directory of the session for temporary files. */
  readonly temporary: string;
  /** The proxy's port on this machine, if only some hosts are allowed. */
  readonly proxyPort?: number | undefined;
  /** The workspace's directories, in which protected names must not be created. */
  readonly roots: readonly string[];
}

/** The profile for `sandbox-exec -p`: the last matching rule decides, as in the plan. */
export function seatbeltProfile(plan: SandboxPlan, host: SeatbeltHost): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    `(allow file-write* (subpath ${quoted(host.temporary)}))`,
    ...plan.places.flatMap((place) => [
      ...rulesFor(place),
      ...(host.roots.includes(place.path) ? denyNewNames(place.path) : []),
    ]),
    ...networkRules(plan, host),
    '',
  ].join('\n');
}

/** Protected names below a root, existing or not; `.git` is handled separately. */
function denyNewNames(root: string): string[] {
  const names = [...protectedNames].filter((name) => name !== '.git').map(escapePattern);
  return [`(deny file-write* (regex #"^${escapePattern(root)}/(${names.join('|')})(/|$)"))`];
}

/** Entries go from outer to inner, so the nearest decides. */
function rulesFor({ path, access, shownAs }: SandboxPlan['places'][number]): string[] {
  const place = `(subpath ${quoted(path)})`;
  if (access === 'write') return [`(allow file-read* file-write* ${place})`];
  // Without mounts, nothing can be shown instead of a file.
  if (access === 'none' || shownAs !== undefined)
    return [`(deny file-read* file-write* ${place})`, `(allow file-read-metadata ${place})`];
  return [`(allow file-read* ${place})`, `(deny file-write* ${place})`];
}

function networkRules({ network }: SandboxPlan, { proxyPort }: SeatbeltHost): string[] {
  if (network === 'on') return [];
  // Connections to this machine are denied too: unlike on Linux, its services are not part of the sandbox.
  const rules = ['(deny network*)', '(allow network-bind network-inbound (local ip "localhost:*"))'];
  return proxyPort === undefined
    ? rules
    : [...rules, `(allow network-outbound (remote ip "localhost:${proxyPort}"))`];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\"]/g, '\\$&');
}
