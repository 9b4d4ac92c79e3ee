import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that are not public, with their purpose. */
const reserved: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // A cloud's metadata and host service, although its address looks public.
  ['168.63.129.16', 32],
];

/** Parts of the global IPv6 range that are not public: Teredo, ORCHID, documentation, 6to4. */
const reservedGlobal: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** True if an address is public: not this machine, its network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/s, '');
  if (isIPv4(plain)) return isPublicIPv4(plain);
  if (!isIPv6(plain)) return false;
  const groups = expandIPv6(plain);
  const embedded = embeddedIPv4(groups);
  if (embedded !== undefined) return isPublicIPv4(embedded);
  const isGlobal = ((groups[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal && !contains(reservedGlobal, plain, 'ipv6');
}

function isPublicIPv4(address: string): boolean {
  return !contains(reserved, address, 'ipv4');
}

function contains(ranges: typeof reserved, address: string, family: 'ipv4' | 'ipv6'): boolean {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list.check(address, family);
}

/** The IPv4 address inside a mapped (`::ffff:a.b.c.d`) or translated (`64:ff9b::a.b.c.d`) one. */
function embeddedIPv4(groups: readonly number[]): string | undefined {
  const head = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  if (head !== '0:0:0:0:0:ffff' && head !== '64:ff9b:0:0:0:0') return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function expandIPv6(address: string): readonly number[] {
  // The URL parser normalizes every spelling to the shortest hexadecimal form.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right] = canonical.split('::');
  const before = groupsOf(left);
  if (right === undefined) return before;
  const after = groupsOf(right);
  return [...before, ...new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
