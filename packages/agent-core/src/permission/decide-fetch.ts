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

function coversUrl(specifier: string | undefined, url: URL, list: RuleList): boolean {
  if (specifier === undefined || specifier === '*') return true;
  if (specifier.startsWith('domain:')) return coversHost(specifier.slice('domain:'.length), url, list);
  const [, scheme, host, rest] = /^(https?):\/\/([^/\n]+)(\/[^\n]*)?$/.exec(specifier) ?? [];
  if (scheme === undefined || host === undefined) return false;
  const target = url.pathname + url.search;
  const isPath = rest === undefined || rest === '' || matchGlob(rest, target);
  return url.protocol === `${scheme}:` && isPath && coversHost(host, url, list);
}

/** A domain matches itself, `*.domain` its subdomains; deny and ask rules for a domain cover both. */
function coversHost(domain: string, url: URL, list: RuleList): boolean {
  const wanted = domain.toLowerCase();
  const host = wanted.includes(':') ? url.host : hostOf(url);
  if (wanted === '*') return true;
  if (wanted.startsWith('*.')) return host.endsWith(wanted.slice(1));
  return host === wanted || (list !== 'allow' && host.endsWith(`.${wanted}`));
}
