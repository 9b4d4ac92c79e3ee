import { matchGlob } from '@robota-sdk/agent-shell';
import { allowedBy, askedBy, deniedBy } from './combine.ts';
import type { PermissionDecision, PermissionPolicy, Rule, RuleList } from './policy/permission.ts';

/** A URL to judge, and the tool that requests it. */
export interface FetchRequest {
  readonly tool: string;
  readonly url: string;
}

/** Judges a request to the web by `WebFetch(domain:…)` rules and the mode. */
export function decideFetch(policy: PermissionPolicy, request: FetchRequest): PermissionDecision {
  const url = webAddress(request.url);
  const what = `Fetching ${request.url}`;
  if (url === undefined) {
    return {
      verdict: 'deny',
      reason: `${what} is refused: only complete http and https addresses are fetched.`,
    };
  }
  const find = (list: RuleList): Rule | undefined =>
    policy.rules[list].find(
      (rule) => [request.tool, 'WebFetch'].includes(rule.tool) && coversUrl(rule.specifier, url, list),
    );
  const denied = find('deny');
  if (denied !== undefined) return deniedBy(denied, what);
  const asked = find('ask');
  if (asked !== undefined) return askedBy(asked, what);
  const allowed = find('allow');
  if (allowed !== undefined) return allowedBy(allowed, what);
  if (policy.mode === 'bypassPermissions') {
    return { verdict: 'allow', reason: `${what} is allowed: bypassPermissions asks nothing.` };
  }
  const reason = `${what} needs your confirmation: no rule allows ${hostOf(url)}.`;
  return { verdict: 'ask', reason, wouldAllow: [`WebFetch(domain:${hostOf(url)})`] };
}

function webAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '').toLowerCase();
}

/** The hosts that a rule is about. */
interface HostPattern {
  readonly host: string;
  readonly port?: string | undefined;
  /** Its subdomains only. */
  readonly isBelow: boolean;
}

/** A URL rule without a scheme is about both. */
interface UrlPattern {
  readonly hosts: HostPattern | 'all';
  readonly scheme?: string | undefined;
  readonly path?: string | undefined;
}

/** Reads the specifier of a `WebFetch` rule; undefined if no URL could match it. */
export function urlPattern(specifier: string): UrlPattern | undefined {
  if (specifier === '*') return { hosts: 'all' };
  const [, scheme, domain = specifier.replace(/^domain:/, ''), path] =
    /^(https?):\/\/([^/\n]+)(\/[^\n]*)?$/i.exec(specifier) ?? [];
  const isNamed = scheme !== undefined || specifier.startsWith('domain:');
  const hosts = isNamed ? hostPattern(domain) : undefined;
  return hosts && { hosts, scheme: scheme?.toLowerCase(), path };
}

/** A host as URLs have it: in lower case, without a final dot, with international names encoded. */
function hostPattern(text: string): HostPattern | 'all' | undefined {
  if (text === '*') return 'all';
  const [, below, name = '', port] = /^(\*\.)?([^\s/?#@\\]+?)(?::(\d+))?$/.exec(text) ?? [];
  const host = URL.canParse(`http://${name}`) ? hostOf(new URL(`http://${name}`)) : '';
  const isHost = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/.test(host);
  return isHost ? { host, port, isBelow: below !== undefined } : undefined;
}

function coversUrl(specifier: string | undefined, url: URL, list: RuleList): boolean {
  if (specifier === undefined) return true;
  const pattern = urlPattern(specifier);
  if (pattern === undefined) return false;
  const { hosts, scheme, path = '' } = pattern;
  if (scheme !== undefined && url.protocol !== `${scheme}:`) return false;
  return (path === '' || matchGlob(path, url.pathname + url.search)) && coversHost(hosts, url, list);
}

/** A domain matches itself, `*.domain` its subdomains; deny and ask rules for a domain cover both. */
function coversHost(hosts: HostPattern | 'all', url: URL, list: RuleList): boolean {
  if (hosts === 'all') return true;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (hosts.port !== undefined && hosts.port !== port) return false;
  const host = hostOf(url);
  const isBelow = host.endsWith(`.${hosts.host}`);
  return hosts.isBelow ? isBelow : host === hosts.host || (list !== 'allow' && isBelow);
}
