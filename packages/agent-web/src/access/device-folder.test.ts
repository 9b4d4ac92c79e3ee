import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeviceFolder } from './device-folder.ts';

const origin = 'http://127.0.0.1:1';
let root: string;
let path: string;
let devices: DeviceFolder;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'robota-devices-'));
  path = join(root, 'web');
  devices = new DeviceFolder(path);
  devices.prepare();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the folder of devices', () => {
  it('knows a device by both of its secrets, at its own origin', () => {
    const { device, secrets } = devices.add({ name: 'Chrome', origin });
    const other = devices.add({ name: 'Firefox', origin });
    expect(devices.find(secrets, origin)).toMatchObject({ id: device.id, name: 'Chrome' });
    expect(devices.find({ ...secrets, key: other.secrets.key }, origin)).toBeUndefined();
    expect(devices.find({ ...secrets, key: '' }, origin)).toBeUndefined();
    expect(devices.find({ ...secrets, cookie: other.secrets.cookie }, origin)).toBeUndefined();
    expect(devices.find({ ...secrets, cookie: device.id }, origin)).toBeUndefined();
    expect(devices.find({ ...secrets, cookie: `../${secrets.cookie}` }, origin)).toBeUndefined();
    expect(devices.find(secrets, 'http://127.0.0.1:2')).toBeUndefined();
  });

  it('keeps only hashes, in files for the owner alone', () => {
    const { device, secrets } = devices.add({ name: 'Chrome', origin });
    const file = join(path, `${device.id}.json`);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(secrets.key);
    expect(text).not.toContain(secrets.cookie.split('.')[1]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('forgets a revoked device, and using it does not bring it back', () => {
    const { device, secrets } = devices.add({ name: 'Chrome', origin });
    expect(new DeviceFolder(path).remove(device.id)).toBe(true);
    expect(devices.find(secrets, origin)).toBeUndefined();
    expect(devices.has(device.id)).toBe(false);
    expect(devices.remove(device.id)).toBe(false);
    expect(readdirSync(path)).toEqual([]);
  });

  it('forgets what was not used for thirty days, and remembers the last use', () => {
    const { device, secrets } = devices.add({ name: 'Chrome', origin });
    const file = join(path, `${device.id}.json`);
    const day = 24 * 60 * 60;
    const used = (days: number) => utimesSync(file, Date.now() / 1000, Date.now() / 1000 - days * day);
    used(29);
    expect(devices.find(secrets, origin)).toBeDefined();
    expect(Date.now() - (devices.list()[0]?.used ?? 0)).toBeLessThan(day * 1000);
    used(31);
    expect(devices.find(secrets, origin)).toBeUndefined();
    devices.prepare();
    expect(readdirSync(path)).toEqual([]);
  });

  it('forgets the devices of other addresses, not used for longest, instead of refusing a new one', () => {
    const kept = devices.add({ name: 'Kept', origin }).device;
    const added = Array.from({ length: 63 }, (_, count) => {
      const { device } = devices.add({ name: 'Chrome', origin: `http://127.0.0.1:${count + 2}` });
      const used = new Date(Date.now() - (63 - count) * 60_000);
      utimesSync(join(path, `${device.id}.json`), used, used);
      return device.id;
    });
    const old = new Date(Date.now() - 100 * 60_000);
    utimesSync(join(path, `${kept.id}.json`), old, old);
    for (let count = 0; count < 3; count++) devices.add({ name: 'New', origin });
    expect(added.filter((id) => !devices.has(id))).toEqual(added.slice(0, 3));
    expect(devices.has(kept.id)).toBe(true);
    expect(devices.list()).toHaveLength(64);
  });

  it('refuses a folder that is a link, and more than 64 devices', () => {
    const link = join(root, 'link');
    symlinkSync(path, link);
    expect(() => new DeviceFolder(link).prepare()).toThrow(/not a folder of yours/);
    for (let count = 0; count < 64; count++) devices.add({ name: 'Chrome', origin });
    expect(() => devices.add({ name: 'Chrome', origin })).toThrow(/64 devices are known already/);
  });
});
