import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { isWithin, shorten } from '@robota-sdk/agent-core';
import { normalizeHost } from './host-pattern.ts';
import { accessTo, expandHome, type SandboxPlan } from './sandbox-plan.ts';

/** Facts about a command that ran in a sandbox. */
export interface CommandReport {
  readonly plan: SandboxPlan;
  readonly home: string;
  /** Its output, or the end of it. */
  readonly text: string;
  readonly failed: boolean;
  /** Hosts that the proxy refused. */
  readonly blockedHosts: readonly string[];
  /** Directories that the sandbox replaces by its own. */
  readonly replaced: readonly string[];
}

const mostRemarks = 4;
const longestName = 160;

/** Reports what the sandbox blocked, and which narrow permission would allow it. */
export function blockedRemarks(report: CommandReport): string[] {
  if (report.failed && /^bwrap: [^\n]*$/.test(report.text.trimEnd()))
    return ['sandbox: it could not be set up for this command, which did not run'];
  const remarks = [...hostRemarks(report), ...pathRemarks(report)];
  // One per permission: a program often fails at several files of the same directory.
  const grants = remarks.map((remark) => remark.split('; the user can ').at(-1));
  return remarks.filter((_, index) => grants.indexOf(grants[index]) === index).slice(0, mostRemarks);
}

/** The text of a remark that offers a permission to the user. */
export function grantRemark(
  blocked: string,
  grant: { flag: string; setting: string; value: string },
): string {
  const { flag, setting, value } = grant;
  return `sandbox: ${blocked}; the user can grant it with ${flag} ${quoteWord(shorten(value, longestName))} or the setting ${setting}`;
}

function hostRemarks({ plan, text, failed, blockedHosts }: CommandReport): string[] {
  if (plan.network === 'on') return [];
  const grant = (host: string) => ({ flag: '--sandbox-host', setting: 'sandbox.network.allow', value: host });
  const refused = blockedHosts.map((host) => grantRemark(`${host} was blocked`, grant(host)));
  if (!failed || refused.length > 0) return refused;
  const failure = text.split('\n').find((line) => networkFailure.test(line));
  if (failure === undefined) return [];
  const host = hostIn(failure);
  if (plan.network !== 'off')
    return [
      `sandbox: only HTTP and HTTPS through the proxy of the environment reach a host${host === undefined ? '' : `, and ${host} was tried another way`}`,
    ];
  if (host === undefined)
    return [
      'sandbox: the network is off; the user can grant hosts with --sandbox-host or the setting sandbox.network.allow',
    ];
  return [grantRemark(`the network is off, ${host} was not reached`, grant(host))];
}

const networkFailure =
  /could not resolve (?:host|proxy)|getaddrinfo|EAI_AGAIN|ENOTFOUND|ENETUNREACH|network is unreachable|(?:temporary failure in|failure in) name resolution|name or service not known|nodename nor servname|no such host|unable to resolve host|failed to lookup address|dns error/i;

const hostsInFailure = [
  /could not resolve host(?:name)?:? "?([\w.-]+)/i,
  /(?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/,
  /https?:\/\/(?:[^@/\s]*@)?([\w.-]+)/i,
  /host='([\w.-]+)'/,
  /lookup ([\w.-]+)/,
  /resolve host(?: address)? ['‘"]([\w.-]+)/i,
];

function hostIn(line: string): string | undefined {
  const found = hostsInFailure.map((pattern) => pattern.exec(line)?.[1]).find((host) => host?.includes('.'));
  return found && normalizeHost(found);
}

function pathRemarks(report: CommandReport): string[] {
  return report.text.split('\n').flatMap((line) => {
    const kind = failureKind(line);
    if (kind === undefined) return [];
    return pathsIn(line).flatMap((path) => pathRemark(path, kind, report).slice(0, 1));
  });
}

type FailureKind = 'read' | 'write' | 'missing';

function failureKind(line: string): FailureKind | undefined {
  if (/read-only file ?system|EROFS|device or resource busy|EBUSY/i.test(line)) return 'write';
  if (/ENOENT/i.test(line) && /, mkdir '/i.test(line)) return 'write';
  if (/permission denied|EACCES/i.test(line)) return 'read';
  return /no such file or directory|ENOENT|not found|cannot (?:access|stat)/i.test(line)
    ? 'missing'
    : undefined;
}

const errorWords =
  /read-only file ?system|permission denied|device or resource busy|no such file or directory|not found/i;

/** Possible paths in an error message: quoted text, and text before or after the error's name. */
function pathsIn(line: string): string[] {
  const quoted = [...line.matchAll(/'([^']+)'|"([^"]+)"|‘([^‘’]+)’|`([^`']+)['`]/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
  );
  const parts = line.split(/: ?/).filter((part) => !errorWords.test(part));
  const last = parts.at(-1)?.trim() ?? '';
  return [...quoted, last, last.split(' ').at(-1) ?? ''].filter(
    (text) => /^\S+$|\//.test(text) && !/^'?E[A-Z]+\b/.test(text),
  );
}

function pathRemark(text: string, kind: FailureKind, { plan, home, replaced }: CommandReport): string[] {
  const path = resolve(plan.cwd, expandHome(text, home));
  const access = accessTo(path, plan);
  const place = plan.places.findLast((candidate) => isWithin(candidate.path, path));
  if (access === 'write' || (place === undefined && replaced.some((own) => isWithin(own, path)))) return [];
  // Hidden files look missing, but most missing files are really missing.
  if (kind === 'missing' && (access !== 'none' || !existsSync(path))) return [];
  if (place?.isIgnored) return [`sandbox: ${shorten(path, longestName)} is hidden by an ignore file`];
  const isHome = place !== undefined && isWithin(place.path, home);
  if (access === 'none' && place && kind !== 'write') {
    const value = isHome ? placeToGrant(path, home) : place.path;
    return [
      grantRemark(`reading ${shorten(path, longestName)} is not allowed`, {
        flag: '--sandbox-read',
        setting: 'sandbox.readable',
        value,
      }),
    ];
  }
  if (kind === 'read') return [];
  const isProtected = place !== undefined && accessTo(dirname(place.path), plan) === 'write';
  const grant = {
    flag: '--sandbox-write',
    setting: 'sandbox.writable',
    value: isProtected ? place.path : directoryToGrant(path, home),
  };
  const why = isProtected ? ', it is protected' : '';
  return [grantRemark(`writing ${shorten(path, longestName)} is not allowed${why}`, grant)];
}

/** Never the whole home directory: it contains all keys. */
function placeToGrant(path: string, home: string): string {
  const directory = directoryToGrant(path, home);
  return isWithin(directory, home) ? path : directory;
}

// Directories of package managers and compilers, each granted as a whole.
const cacheRoots = ['.npm', '.cargo', '.rustup', '.m2', '.gradle', '.yarn', '.pnpm-store', '.bun', '.nuget'];
const cacheParents = ['.cache', '.local/share', '.config', 'Library/Caches', 'go'];

function directoryToGrant(path: string, home: string): string {
  const roots = cacheRoots.map((name) => join(home, name));
  const root = roots.find((candidate) => isWithin(candidate, path));
  if (root !== undefined) return root;
  const parent = cacheParents
    .map((name) => join(home, name))
    .find((candidate) => path.startsWith(candidate + sep));
  if (parent !== undefined) return join(parent, path.slice(parent.length + 1).split(sep)[0] ?? '');
  let directory = dirname(path);
  while (!existsSync(directory)) directory = dirname(directory);
  return directory;
}

/** Quotes a word for the shell if needed. */
export function quoteWord(text: string): string {
  return /^[\w@%+=:,./~…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
