import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory: string | undefined;

/** Gives the whole run one temporary directory. */
export function setup(): void {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'robota-')));
  // As open as the system's own: some tests work as another user.
  chmodSync(directory, 0o1777);
  process.env['TMPDIR'] = directory;
}

/** Takes it away again, so that tests leave nothing behind on the machine. */
export function teardown(): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}
