/**
 * True if a `NO_PROXY` list contains an address. Its entries are separated by commas or spaces: `*`, a host with its subdomains
 * (`example.com`, `.example.com`, `*.example.com`), an IP address, a range (`10.0.0.0/8`), each but a range with an optional port.
 */
export function bypasses(list: string, url: URL): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(entry, host);
  const { name, port: wanted } = splitPort(entry);
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return canonical(name) === canonical(host);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isWithin(range: string, host: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(plainHost(network));
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(prefix)) return false;
  const bits = Number(prefix);
  if (bits > (family === 4 ? 32 : 128)) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const { BlockList } = process.getBuiltinModule('node:net');
  const list = new BlockList();
  list.addSubnet(plainHost(network), bits, kind);
  return list.check(host, kind);
}

function splitPort(entry: string): { readonly name: string; readonly port?: string } {
  if (isIP(entry) !== 0) return { name: entry };
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d+))?$/.exec(entry);
  const name = found?.[1] ?? found?.[2] ?? entry;
  const port = found?.[3];
  return port === undefined ? { name } : { name, port };
}

function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** One spelling for each IPv6 address. */
function canonical(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address;
}

/** 4 or 6 for an address, 0 for a name. The module is loaded where there is a list, which no usual start needs. */
function isIP(text: string): number {
  return process.getBuiltinModule('node:net').isIP(text);
}
