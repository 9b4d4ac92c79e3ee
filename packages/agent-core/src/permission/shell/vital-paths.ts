import path from 'node:path';
import { isWithin } from '../../file/is-within.ts';

/** Directories without which the system does not run. */
const systemDirectories: ReadonlySet<string> = new Set([
  '/Applications',
  '/Library',
  '/System',
  '/Users',
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/home',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/root',
  '/sbin',
  '/sys',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/sbin',
  '/var',
  '/var/lib',
]);

/** Devices that hold disks or memory; writing to them destroys what lies there. */
const deviceName =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|loop\d|md\d|dm-\d|sr\d|mapper\/|block\/|disk\/|mem$|kmem$|port$)/;

/** Whether losing this path, or everything in it, would cost the system or the user's home. */
export function isVital(file: string, home: string): boolean {
  const target = withoutFinalGlob(file);
  return target === '/' || systemDirectories.has(target) || isWithin(target, path.posix.normalize(home));
}

/** Whether writing to this path goes to a disk, to memory or to the kernel's emergency switch. */
export function isRawDevice(file: string): boolean {
  const target = path.posix.normalize(file);
  return deviceName.test(target) || target === '/proc/sysrq-trigger';
}

/** `/*`, `/.`, `/??*` mean all that is in the directory. */
function withoutFinalGlob(file: string): string {
  const normal = path.posix.normalize(file).replace(/(?<=.)\/+$/, '');
  const last = normal.slice(normal.lastIndexOf('/') + 1);
  if (last === '' || !/[*?[]/.test(last) || !/^[*?.[\]!^]+$/.test(last)) return normal;
  const parent = normal.slice(0, normal.lastIndexOf('/'));
  return parent === '' ? '/' : withoutFinalGlob(parent);
}
