import { bypasses } from './no-proxy.ts';
import { ProxyError } from './proxy-error.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const usualPorts = { 'http:': 80, 'https:': 443, 'socks5:': 1080 } as const;

/** A proxy as the environment names it. */
export interface ProxyAddress {
  readonly protocol: keyof typeof usualPorts;
  readonly hostname: string;
  readonly port: number;
  /** A secret. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The variable that names it. */
  readonly variable: string;
  /** The address without credentials, for messages. */
  readonly label: string;
}

const variables: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/** Names of all variables that choose a proxy. */
export const proxyVariables: readonly string[] = [...new Set(Object.values(variables).flat())];

/** Names of the variables that choose a proxy in an environment: others are hidden by them. */
export function usedProxyVariables(env: Environment): readonly string[] {
  return [...new Set(Object.keys(variables).flatMap((protocol) => variableFor(protocol, env) ?? []))];
}

function variableFor(protocol: string, env: Environment): string | undefined {
  return variables[protocol]?.find((name) => (env[name] ?? '').trim() !== '');
}

/**
 * The proxy for an address; undefined for a direct connection. This machine and the metadata services of clouds are always
 * reached directly. Throws a `ProxyError` for a value that is not usable: connecting directly could show the request to a
 * network the user wants to avoid.
 */
export function findProxy(url: URL, env: Environment = process.env): ProxyAddress | undefined {
  const variable = variableFor(url.protocol, env);
  if (variable === undefined || isThisMachine(url.hostname)) return undefined;
  const bypass = env.no_proxy?.trim() || env.NO_PROXY || '';
  return bypasses(bypass, url) ? undefined : parseProxy(variable, env[variable] ?? '');
}

/** Reads the value of a proxy variable: `[http[s]://|socks5[h]://][user:password@]host[:port]`. */
export function parseProxy(variable: string, value: string): ProxyAddress {
  const text = value.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(address)) throw ProxyError.unusable(variable, 'is not a URL');
  const { protocol: scheme, hostname, port, username, password, pathname, search, hash } = new URL(address);
  // A password with one of these characters parses as a path, and the user as a host.
  if (`${pathname}${search}${hash}`.includes('@'))
    throw ProxyError.unusable(
      variable,
      'is not a URL: encode special characters of the password, such as # as %23',
    );
  // A URL in quotation marks, as in a badly quoted .env file, parses as a host with this name.
  if (/["'`]/.test(hostname)) throw ProxyError.unusable(variable, 'is not a URL: remove the quotation marks');
  // With either name, the proxy resolves hosts.
  const protocol = /^socks(?:5h)?:$/.test(scheme) ? 'socks5:' : scheme;
  if (!isSupported(protocol))
    throw ProxyError.unusable(variable, `names a ${protocol.slice(0, -1)} proxy, which is not supported`);
  const usedPort = port === '' ? usualPorts[protocol] : Number(port);
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: usedPort,
    variable,
    label: `${protocol}//${hostname}:${usedPort}`,
    ...(username === '' && password === ''
      ? {}
      : { login: { user: decoded(username), password: decoded(password) } }),
  };
}

function isSupported(protocol: string): protocol is ProxyAddress['protocol'] {
  return Object.hasOwn(usualPorts, protocol);
}

/** A percent sign that is part of the password is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Metadata services beside those at 169.254.x.x: Google's names, and the IPv6 addresses of EC2 and EKS. */
const metadataHosts = ['metadata.google.internal', 'metadata.goog', '[fd00:ec2::254]', '[fd00:ec2::23]'];

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '0.0.0.0' ||
    metadataHosts.includes(hostname) ||
    /^(?:127\.\d{1,3}|169\.254)(?:\.\d{1,3}){2}$/.test(hostname)
  );
}
