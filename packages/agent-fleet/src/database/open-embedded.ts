import { spawn } from 'node:child_process';
import { existsSync, fdatasyncSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { AgentError, errorMessage, nodeForFiles } from '@robota-sdk/agent-core';
import type { FleetDatabase } from '../contract/database.ts';
import { migrate } from './migrate.ts';
import { inTransaction } from './transaction.ts';

/** Opens the embedded database in a directory. The caller makes sure that no other process has it open. */
export async function openEmbedded(directory: string): Promise<FleetDatabase> {
  const [{ PGlite }, { PglitePool }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./pglite-pool.ts'),
  ]);
  const pglite = await make(directory)
    .then(() => PGlite.create(directory, { startParams: startParameters(PGlite.defaultStartParams) }))
    .catch((thrown: unknown) => {
      throw unusable(directory, thrown);
    });
  writeThrough(pglite);
  const pool = new PglitePool(pglite);
  const database: FleetDatabase = {
    kind: 'pglite',
    pool,
    query: pool.query,
    transaction: (work) => inTransaction(pool, work),
    async close() {
      await pool.end();
      await pglite.close();
    },
  };
  await migrate(database);
  return database;
}

/** The defaults are for a server with many clients, which takes 150 MB more, and leave the disk to the kernel (`-F`). */
function startParameters(defaults: readonly string[]): string[] {
  const settings = ['shared_buffers=8MB', 'wal_buffers=1MB', 'wal_sync_method=fsync'];
  return [...defaults.filter((word) => word !== '-F'), ...settings.flatMap((setting) => ['-c', setting])];
}

/** Makes commits survive a loss of power: files of PGlite are written, but what it asks to be on the disk is not waited for. */
function writeThrough(pglite: PGlite): void {
  const { node } = pglite.Module.FS.lookupPath('/pglite/data', {});
  const operations: { fsync?: (stream: { readonly nfd?: number }) => number } = node.stream_ops;
  operations.fsync = ({ nfd }) => {
    // Directories have none.
    if (nfd !== undefined) fdatasyncSync(nfd);
    return 0;
  };
}

/** Makes a database and ends; its arguments are the module of PGlite and the directory. */
const maker = `
  const { PGlite } = await import(process.argv[1]);
  try {
    const database = await PGlite.create(process.argv[2]);
    await database.close();
  } catch (error) {
    process.stderr.write(error instanceof Error ? error.message : '');
    process.exitCode = 1;
  }`;

/**
 * Makes the database where there is none: aside and renamed, so that it is never half made, and in a process of its own,
 * since the 500 MB that it takes are not given back before the process ends.
 */
async function make(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const drafts = `${basename(directory)}.new-`;
  // The maker of a supervisor that was killed may still write there; it ends soon, and its draft goes next time.
  for (const name of await readdir(parent))
    if (name.startsWith(drafts))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  const draft = join(parent, `${drafts}${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  const module = pathToFileURL(createRequire(import.meta.url).resolve('@electric-sql/pglite')).href;
  const { code, stderr } = await run(['--input-type=module', '-e', maker, module, draft]);
  if (code !== 0) throw stderr === '' ? undefined : new Error(stderr);
  await rename(draft, directory);
}

function run(words: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(nodeForFiles('The database of the fleet'), words, {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, stderr: stderr.trim() }));
  });
}

/** The database throws plain objects for errors of the disk, with nothing but a number. */
function unusable(directory: string, thrown: unknown): AgentError {
  const why = thrown instanceof Error ? errorMessage(thrown) : 'the disk refused a file';
  return new AgentError('config', `Cannot open the database of the fleet in ${directory}: ${why}.`, {
    hint: 'Check that the disk has space and that you may write there, then try again. No task is lost.',
    cause: thrown,
  });
}
