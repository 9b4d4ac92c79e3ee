import { bypasses } from './no-proxy.ts';
import { ProxyError } from './proxy-error.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy as the environment names it. */
export interface ProxyAddress {
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: number;
  /** The value of `proxy-authorization`; a secret. */
  readonly authorization?: string;
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

/**
 * The proxy for an address; undefined for a direct connection. This machine and the metadata services of clouds are always
 * reached directly. Throws a `ProxyError` for a value that is not usable: connecting directly could show the request to a
 * network the user wants to avoid.
 */
export function findProxy(url: URL, env: Environment = process.env): ProxyAddress | undefined {
  const variable = variables[url.protocol]?.find((name) => (env[name] ?? '').trim() !== '');
  if (variable === undefined || isThisMachine(url.hostname)) return undefined;
  const bypass = env.no_proxy?.trim() || env.NO_PROXY || '';
  return bypasses(bypass, url) ? undefined : parseProxy(variable, env[variable] ?? '');
}

/** Reads the value of a proxy variable: `[http[s]://][user:password@]host[:port]`. */
export function parseProxy(variable: string, value: string): ProxyAddress {
  const text = value.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const address = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(address)) throw ProxyError.unusable(variable, 'is not a URL');
  const { protocol, hostname, port, username, password } = new URL(address);
  // A URL in quotation marks, as in a badly quoted .env file, parses as a host with this name.
  if (/["'`]/.test(hostname)) throw ProxyError.unusable(variable, 'is not a URL: remove the quotation marks');
  if (protocol !== 'http:' && protocol !== 'https:')
    throw ProxyError.unusable(variable, `names a ${protocol.slice(0, -1)} proxy, which is not supported`);
  const usedPort = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: usedPort,
    variable,
    label: `${protocol}//${hostname}:${usedPort}`,
    ...(username === '' && password === '' ? {} : { authorization: basic(username, password) }),
  };
}

function basic(username: string, password: string): string {
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
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
