import path from 'node:path';
import { globsOverlap, openGlob } from '../path/glob-match.ts';
import { isWithin } from '../path/is-within.ts';

/** Directories without which the system does not run. */
const systemDirectories: ReadonlySet<string> = new Set(
  (
    '/Applications /Library /System /Users /bin /boot /dev /etc /home /lib /lib32 /lib64 /proc /root ' +
    '/sbin /sys /usr /usr/bin /usr/lib /usr/local /usr/sbin /var /var/lib'
  ).split(' '),
);

/** Devices for disks or memory; writing to them destroys data. */
const deviceName =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|loop\d|md\d|dm-\d|sr\d|mapper\/|block\/|disk\/|mem$|kmem$|port$)/;

/** One device of each kind, for globs. */
const devices: readonly string[] =
  'sda sdb hda vda xvda nvme0n1 mmcblk0 disk0 rdisk0 loop0 md0 dm-0 sr0 mem kmem port'
    .split(' ')
    .map((name) => `/dev/${name}`);

/** True if losing this path or its contents would destroy the system or the user's home. */
export function isVital(file: string, home: string): boolean {
  const target = withoutFinalGlob(file);
  if (target === '/' || systemDirectories.has(target) || isWithin(target, path.posix.normalize(home)))
    return true;
  if (!/[*?[]/.test(target)) return false;
  return [...systemDirectories, path.posix.normalize(home)].some((one) => mayExpandTo(target, one));
}

/** True if writing to this path goes to a disk, to memory or to the kernel's SysRq trigger. */
export function isRawDevice(file: string): boolean {
  const target = path.posix.normalize(file);
  if (/[*?[]/.test(target)) return devices.some((device) => mayExpandTo(target, device));
  return deviceName.test(target) || target === '/proc/sysrq-trigger';
}

/** True if a shell glob may match a path. */
function mayExpandTo(glob: string, file: string): boolean {
  const wanted = file.split('/');
  const names = glob.split('/');
  return (
    names.length === wanted.length &&
    names.every((name, index) => globsOverlap(openGlob(name), wanted[index] ?? ''))
  );
}

/** `/*`, `/.`, `/??*` mean everything in the directory. */
function withoutFinalGlob(file: string): string {
  const normal = path.posix.normalize(file).replace(/(?<=.)\/$/, '');
  const last = normal.slice(normal.lastIndexOf('/') + 1);
  if (!/[*?[]/.test(last) || !/^[*?.]+$/.test(last.replaceAll(/\[[^\]]*(?:\]|$)/g, '?'))) return normal;
  const parent = normal.slice(0, normal.lastIndexOf('/'));
  return parent === '' ? '/' : withoutFinalGlob(parent);
}
