import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AgentError, guard, makeDirectories, number, object, parseJson, text } from '@robota-sdk/agent-core';
import { watchPath } from '@robota-sdk/agent-sessions';
import { createSecret, hashSecret, matchesHash } from './secret.ts';

const unusedMs = 30 * 24 * 60 * 60 * 1000;
const touchedMs = 60_000;
const mostDevices = 64;
const deviceId = /^[0-9a-f]{16}$/;

/** A browser that was let in. */
export interface Device {
  readonly id: string;
  readonly name: string;
  /** The origin it was let in at; it is unknown at every other. */
  readonly origin: string;
  /** Unix milliseconds. */
  readonly created: number;
  /** Unix milliseconds, to the minute. */
  readonly used: number;
}

/** The two secrets of a device: the browser keeps the first as a cookie, our page the second. */
export interface DeviceSecrets {
  readonly cookie: string;
  readonly key: string;
}

type StoredDevice = Omit<Device, 'used'> & { readonly cookieHash: string; readonly keyHash: string };

/**
 * The devices as files, one each, with hashes of their secrets. Removing the file revokes the device: no process can bring
 * it back by writing what it knew before. The time of the file is when the device was last used.
 */
export class DeviceFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes the folder readable by its owner alone; fails where it is not ours. */
  prepare(): void {
    makeDirectories(this.#path, 0o700);
    const stats = lstatSync(this.#path);
    const isOurs = process.getuid === undefined || stats.uid === process.getuid();
    if (!stats.isDirectory() || !isOurs)
      throw new AgentError('config', `${this.#path} is not a folder of yours.`, {
        hint: 'Move it away and try again.',
      });
    chmodSync(this.#path, 0o700);
    for (const id of this.#ids()) if (!this.has(id)) rmSync(this.#file(id), { force: true });
  }

  /** Lets a device in. */
  add({ name, origin }: Pick<Device, 'name' | 'origin'>): { device: Device; secrets: DeviceSecrets } {
    const all = this.list();
    // Each start at a random port leaves a device behind that cannot be used any more.
    const unused = all.findLast((each) => each.origin !== origin);
    if (all.length >= mostDevices && !this.remove(unused?.id ?? ''))
      throw new AgentError('usage', `${mostDevices} devices are known already.`, {
        hint: { text: 'Revoke one with', run: ['web', 'devices', 'revoke', 'ID'] },
      });
    const id = randomBytes(8).toString('hex');
    const secret = createSecret();
    const key = createSecret();
    const created = Date.now();
    const stored: StoredDevice = {
      id,
      name,
      origin,
      created,
      cookieHash: hashSecret(secret),
      keyHash: hashSecret(key),
    };
    writeFileSync(this.#file(id), JSON.stringify(stored), { mode: 0o600, flag: 'wx' });
    return {
      device: { id, name, origin, created, used: created },
      secrets: { cookie: `${id}.${secret}`, key },
    };
  }

  /** The device that both secrets belong to. */
  find({ cookie, key }: DeviceSecrets, origin: string): Device | undefined {
    const [id = '', secret = ''] = cookie.split('.');
    const found = this.#load(id);
    if (!found || found.origin !== origin) return undefined;
    // Both are compared always: the time tells not which one is wrong.
    const fits = [matchesHash(secret, found.cookieHash), matchesHash(key, found.keyHash)];
    if (fits.includes(false)) return undefined;
    this.#touch(found);
    return deviceOf(found);
  }

  /** True until the device is revoked. */
  has(id: string): boolean {
    return this.#load(id) !== undefined;
  }

  /** Devices in use, the last used first. */
  list(): Device[] {
    return this.#ids()
      .flatMap((id) => this.#load(id) ?? [])
      .map(deviceOf)
      .sort((one, other) => other.used - one.used);
  }

  /** Revokes a device; false if there is none. */
  remove(id: string): boolean {
    if (!this.has(id)) return false;
    rmSync(this.#file(id), { force: true });
    return true;
  }

  /** Calls back when a device may have been revoked, also by another process. Costs nothing while nothing happens. */
  watch(onChange: () => void): () => void {
    return watchPath(this.#path, onChange);
  }

  #ids(): string[] {
    try {
      return readdirSync(this.#path).flatMap((name) => {
        const id = name.replace(/\.json$/, '');
        return id !== name && deviceId.test(id) ? [id] : [];
      });
    } catch {
      return [];
    }
  }

  /** Nothing for a device that was revoked or not used for long. */
  #load(id: string): (StoredDevice & { readonly used: number }) | undefined {
    if (!deviceId.test(id)) return undefined;
    try {
      const value = parseJson(readFileSync(this.#file(id), 'utf8'));
      const used = statSync(this.#file(id)).mtimeMs;
      if (!isStored(value) || value.id !== id || Date.now() - used > unusedMs) return undefined;
      return { ...value, used };
    } catch {
      return undefined;
    }
  }

  #touch({ id, used }: { readonly id: string; readonly used: number }): void {
    if (Date.now() - used < touchedMs) return;
    try {
      const now = new Date();
      utimesSync(this.#file(id), now, now);
    } catch {
      // Revoked meanwhile.
    }
  }

  #file(id: string): string {
    return join(this.#path, `${id}.json`);
  }
}

function deviceOf({ id, name, origin, created, used }: StoredDevice & { readonly used: number }): Device {
  return { id, name, origin, created, used: Math.round(used) };
}

const isStored = guard<StoredDevice>(() =>
  object({ id: text, name: text, origin: text, cookieHash: text, keyHash: text, created: number }),
);
