import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { lockHolder, robotaDirectories } from '@robota-sdk/agent-core';

/** The holder of a session or fleet of this user, which loads files of its version while it runs. */
export function sessionHolder(host: HostEnvironment): string | undefined {
  return lockedBelow(robotaDirectories(host).data, 5);
}

function lockedBelow(folder: string, depth: number): string | undefined {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const holder = entry.isDirectory()
      ? depth > 0 && lockedBelow(path, depth - 1)
      : entry.name.endsWith('.lock') && lockHolder(path.slice(0, -'.lock'.length));
    if (holder) return holder;
  }
  return undefined;
}
