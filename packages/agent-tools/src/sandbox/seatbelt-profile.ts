import { protectedNames } from '@robota-sdk/agent-core';
import type { SandboxPlan } from './sandbox-plan.ts';

/** What the profile needs beside the plan. */
export interface SeatbeltHost {
  /** A directory of the session for temporary files. */
  readonly temporary: string;
  /** The port of the proxy on this machine, where only some hosts are allowed. */
  readonly proxyPort?: number | undefined;
  /** The workspace's directories, below which protected names must not appear. */
  readonly roots: readonly string[];
}

/** The text for `sandbox-exec -p`: the last rule that matches decides, as in the plan. */
export function seatbeltProfile(plan: SandboxPlan, host: SeatbeltHost): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    `(allow file-write* (subpath ${quoted(host.temporary)}))`,
    ...plan.places
      .filter(({ access }) => access === 'write')
      .map(({ path }) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...host.roots.flatMap(denyNewNames),
    ...plan.places.filter(({ access }) => access !== 'write').map(denied),
    ...grantsInside(plan),
    ...networkRules(plan, host),
    '',
  ].join('\n');
}

/** Protected names below a root, existing or not; `.git` is judged by its parts. */
function denyNewNames(root: string): string[] {
  const names = [...protectedNames].filter((name) => name !== '.git').map(escapePattern);
  return [`(deny file-write* (regex #"^${escapePattern(root)}/(${names.join('|')})(/|$)"))`];
}

function denied({ path, access }: SandboxPlan['places'][number]): string {
  if (access === 'none') return `(deny file-read* file-write* (subpath ${quoted(path)}))`;
  return `(deny file-write* (subpath ${quoted(path)}))`;
}

/** Places that may be written though they lie in one that may not: they have to come last. */
function grantsInside({ places }: SandboxPlan): string[] {
  return places
    .filter(({ path, access }, index) => {
      const outer = places.slice(0, index).findLast((place) => path.startsWith(`${place.path}/`));
      return access === 'write' && outer !== undefined && outer.access !== 'write';
    })
    .map(({ path }) => `(allow file-read* file-write* (subpath ${quoted(path)}))`);
}

function networkRules({ network }: SandboxPlan, { proxyPort }: SeatbeltHost): string[] {
  if (network === 'on') return [];
  // Reaching out to this machine stays denied too: its services are not part of the sandbox, unlike on Linux.
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
