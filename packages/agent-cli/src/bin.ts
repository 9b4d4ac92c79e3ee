#!/usr/bin/env node
import { version } from './arguments/version.ts';

const words = process.argv.slice(2);
const only = words.length === 1 ? words[0] : undefined;

// Answered before anything else is loaded: these two are asked by scripts all day.
if (only === '--version' || only === '-v') {
  print(`${version}\n`);
} else if (only === '--help' || only === '-h') {
  void import('./arguments/help.ts').then(({ helpText }) => print(helpText()));
} else {
  process.on('SIGINT', leaveWhileIdle);
  settleHome();
  // A tour leaves nothing behind.
  if (words[0] !== 'demo') keepCompiledCode();
  void import('./run-command-line.ts').then(({ runCommandLine }) => runCommandLine(words));
}

/** Writes without the stream of standard output, which takes longer to make than all the rest of these two commands. */
function print(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  const { writeSync } = process.getBuiltinModule('node:fs');
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // The stream waits for a reader that is slow; one that is gone wants nothing.
    if (code === 'EAGAIN') process.stdout.write(bytes.subarray(written));
    else if (code !== 'EPIPE') {
      process.exitCode = 1;
      writeSync(2, `robota: the output could not be written: ${message}\n`);
    }
  }
}

/** Outside a run there is nothing to save; during a run, its own listener decides. */
function leaveWhileIdle(): void {
  if (process.listenerCount('SIGINT') === 1) process.exit(0);
}

/** An empty or relative `HOME` counts as unset, here and in every process we start. */
function settleHome(): void {
  if (process.env.HOME === undefined || isAbsolute(process.env.HOME)) return;
  delete process.env.HOME;
}

function isAbsolute(path: string): boolean {
  return process.getBuiltinModule('node:path').isAbsolute(path);
}

/** Keeps compilations in a folder. The loader that the build puts before this program; the single executable has another. */
declare const $keep: ((folder: string) => void) | undefined;

/** V8 can keep compiled code from run to run, which saves a third of the start. Coverage of a run wants all of it compiled. */
function keepCompiledCode(): void {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  if (typeof $keep !== 'function' || NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return;
  const folders = codeFolders();
  const folder = folders.at(-1);
  if (folder !== undefined && isAbsolute(folder) && hasFolder(folders)) $keep(folder);
}

/** The folder of compiled code and those it is in. Each kind of run compiles other functions of the same files. */
function codeFolders(): readonly string[] {
  const { NODE_COMPILE_CACHE } = process.env;
  const caches = NODE_COMPILE_CACHE ? [NODE_COMPILE_CACHE] : cacheFolders();
  const cache = caches.at(-1);
  if (cache === undefined) return [];
  const code = `${cache}/code-${version}`;
  return [...caches, code, `${code}/${process.version}-${process.arch}-${kindOfRun()}`];
}

function kindOfRun(): 'print' | 'command' | 'screen' {
  if (words.includes('-p') || words.includes('--print')) return 'print';
  return /^[a-z-]+$/.test(words[0] ?? '') && !words[0]?.startsWith('-') ? 'command' : 'screen';
}

/** The cache folder and those it is in, as `robotaDirectories` chooses it; nothing is loaded for it. */
function cacheFolders(): readonly string[] {
  const { ROBOTA_HOME, HOME, USERPROFILE, XDG_CACHE_HOME = '' } = process.env;
  const user = HOME || (process.platform === 'win32' && USERPROFILE);
  const home = ROBOTA_HOME || (user && `${user}/.robota`);
  if (!home) return [];
  const isXdg = ['CONFIG', 'DATA', 'STATE', 'CACHE'].some((kind) =>
    isAbsolute(process.env[`XDG_${kind}_HOME`] ?? ''),
  );
  if (ROBOTA_HOME || !isXdg || process.getBuiltinModule('node:fs').existsSync(home))
    return [home, `${home}/cache`];
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : `${user}/.cache`;
  return [caches, `${caches}/robota`];
}

/** Makes folders one by one: Node would make them all at once, and never returns from that below `/proc`. */
function hasFolder(folders: readonly string[]): boolean {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
  if (existsSync(folders.at(-1) ?? '')) return true;
  try {
    for (const folder of folders) if (!existsSync(folder)) mkdirSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}
