import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, fdatasyncSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { AgentError, errorMessage, nodeForFiles } from '@robota-sdk/agent-core';
import type { FleetDatabase } from '../contract/database.ts';
import { migrate } from './migrate.ts';
import { inTransaction } from './transaction.ts';

/** Opens the embedded database in a directory. The caller makes sure that no other process has it open. */
export async function openEmbedded(directory: string): Promise<FleetDatabase> {
  for (const flag of compileOnceFlags) setFlagsFromString(flag);
  process.off('exit', optimizeAgain).once('exit', optimizeAgain);
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

/**
 * Flags that keep V8 from optimizing the database. That takes a second of CPU and 100 MB (500 MB with Node 24), which some
 * hundreds of statements, as most programs run, do not win back.
 */
const compileOnceFlags = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/** Compiled code is kept for processes with the same flags, so the defaults return at the end. */
function optimizeAgain(): void {
  for (const flag of compileOnceFlags) setFlagsFromString(flag.replace('no-', ''));
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
  const words = [...compileOnceFlags, '--input-type=module', '-e', maker, module, draft];
  await promisify(execFile)(nodeForFiles('The database of the fleet'), words).catch(failed);
  await rename(draft, directory);
}

/** The message of the maker is the error; without one the disk refused a file. */
function failed(error: ExecFileException & { readonly stderr: string }): never {
  if (typeof error.code === 'string') throw error;
  throw error.stderr.trim() === '' ? undefined : new Error(error.stderr.trim());
}

/** The database throws plain objects for errors of the disk, with nothing but a number. */
function unusable(directory: string, thrown: unknown): AgentError {
  const why = thrown instanceof Error ? errorMessage(thrown) : 'the disk refused a file';
  return new AgentError('config', `Cannot open the database of the fleet in ${directory}: ${why}.`, {
    hint: 'Check that the disk has space and that you may write there, then try again. No task is lost.',
    cause: thrown,
  });
}
