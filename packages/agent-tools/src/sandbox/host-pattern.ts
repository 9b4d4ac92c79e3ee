import { isIP } from 'node:net';

/** A host and port that a command wants to reach. */
export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

const usualPorts: readonly number[] = [80, 443];

/**
 * True if a pattern matches a host: `example.com` that name, `*.example.com` every subdomain. Ports 80 and 443, unless
 * the pattern has another: `localhost:8080`, `[::1]:3000`.
 */
export function isHostAllowed({ host, port }: HostAddress, patterns: readonly string[]): boolean {
  const wanted = normalizeHost(host);
  return patterns.map(splitPattern).some((pattern) => {
    const isPort = pattern.port === undefined ? usualPorts.includes(port) : pattern.port === port;
    if (!isPort || wanted === '') return false;
    if (!pattern.host.startsWith('*.')) return wanted === pattern.host;
    const zone = pattern.host.slice(1);
    return isIP(wanted) === 0 && wanted.endsWith(zone) && wanted.length > zone.length;
  });
}

/** The problem of a pattern; `undefined` if it is valid. */
export function hostPatternProblem(pattern: string): string | undefined {
  const { host, port } = splitPattern(pattern);
  if (pattern.includes('/')) return `"${pattern}" must be a host without scheme and path, as example.com.`;
  if (port !== undefined && !(port > 0 && port < 65536)) return `"${pattern}" has no valid port.`;
  const labels = (host.startsWith('*.') ? host.slice(2) : host).split('.');
  if (isIP(host) !== 0 || labels.every((label) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/.test(label)))
    return undefined;
  return `"${pattern}" is not a host. Write example.com, *.example.com or example.com:8080; "*" may only replace whole names at the start.`;
}

/** Normalizes a host name: lower case, without final dot and brackets. */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function splitPattern(pattern: string): { readonly host: string; readonly port: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(pattern.trim());
  if (!match) return { host: normalizeHost(pattern.trim()), port: undefined };
  return { host: normalizeHost(match[1] ?? ''), port: Number(match[2]) };
}
