import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory: string | undefined;

/** Gives the whole run one temporary directory, and one cache of compiled code. */
export function setup(): void {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'robota-')));
  // As open as the system's own: some tests work as another user.
  chmodSync(directory, 0o1777);
  process.env['TMPDIR'] = directory;
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compiled-code');
}

/** Takes it away again, so that tests leave nothing behind on the machine; workers may end meanwhile. */
export async function teardown(): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
