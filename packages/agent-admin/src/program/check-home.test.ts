import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCheckHome, removeStaleCheckHomes } from './check-home.ts';

let parent: string;

beforeEach(async () => {
  parent = await temporaryDirectory('robota-check-homes');
});

/** A home as a killed update leaves it. */
function leave(name: string, pid: number): void {
  mkdirSync(join(parent, name, '.robota'), { recursive: true });
  const owner = { pid, started: '1', host: hostname(), since: new Date().toISOString() };
  writeFileSync(join(parent, name, '.owner.lock'), JSON.stringify(owner));
}

describe('homes of health checks', () => {
  it('are removed once the process that made them is gone, and not before', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    leave('robota-update-dead', pid);
    leave('other-dead', pid);
    const live = await createCheckHome(parent);
    removeStaleCheckHomes(parent);
    expect(existsSync(live.path)).toBe(true);
    expect(readdirSync(parent)).toHaveLength(2);
    await live.remove();
    expect(readdirSync(parent)).toEqual(['other-dead']);
  });

  it('stay without an owner for a day, and links and files always', () => {
    const [young, old] = [join(parent, 'robota-update-young'), join(parent, 'robota-update-old')];
    for (const folder of [young, old]) mkdirSync(folder);
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
    utimesSync(old, longAgo, longAgo);
    const target = join(parent, 'target');
    mkdirSync(target);
    utimesSync(target, longAgo, longAgo);
    symlinkSync(target, join(parent, 'robota-update-link'));
    writeFileSync(join(parent, 'robota-update-file'), '');
    removeStaleCheckHomes(parent);
    expect(readdirSync(parent).sort()).toEqual([
      'robota-update-file',
      'robota-update-link',
      'robota-update-young',
      'target',
    ]);
  });

  it('do not matter where the folder for them is missing', () => {
    expect(() => removeStaleCheckHomes(join(parent, 'missing'))).not.toThrow();
  });
});
