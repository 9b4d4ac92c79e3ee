// Runs lines in a real bash, in a directory that is thrown away, and says which of them ran `boom`, and which another
// program of that directory because they changed what a name means.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchedDirectories } from './shell-changes.mjs';

/** Programs that the lines may find; there is nothing else on their PATH. */
const programs = ['bash', 'cat', 'env', 'grep', 'ls', 'sleep', 'timeout', 'xargs'];
const stubs = ['git', 'npm'];

/** One process reads the lines from a given one on and runs each in a subshell, as `bash -c` would. */
const driver = `
exec 3< "$FUZZ_LINES"
unset FUZZ_LINES
__number=0
while IFS= read -r -d '' -u 3 __line; do
  __number=$((__number + 1))
  if ((__number <= $1)); then continue; fi
  echo $__number > "$FUZZ_PROGRESS"
  ( exec 3<&-; export FUZZ_LINE=$__number; unset __number FUZZ_PROGRESS; eval "$__line" ) </dev/null >/dev/null 2>&1
done
echo end > "$FUZZ_PROGRESS"
`;
const longestStall = 5_000;

/**
 * @param {readonly string[]} lines
 * @returns {Promise<Map<number, 'boom' | 'another program'>>} the positions of lines that ran something, and what
 */
export async function linesThatRun(lines) {
  const directory = mkdtempSync(join(tmpdir(), 'robota-fuzz-'));
  try {
    const files = prepare(directory, lines);
    let from = 0;
    while (from < lines.length) from = await runFrom(from, files);
    const log = readFileSync(files.log, 'utf8').split('\n');
    const found = log.filter((entry) => entry !== '').map((entry) => entry.split(' '));
    // A line that ran boom counts as that, whatever else it ran.
    const ordered = found.toSorted(([, one = ''], [, other = '']) => other.localeCompare(one));
    return new Map(
      ordered.map(([number, what]) => [Number(number) - 1, what === undefined ? 'boom' : 'another program']),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** @typedef {ReturnType<typeof prepare>} Files */

/**
 * @param {string} directory
 * @param {readonly string[]} lines
 */
function prepare(directory, lines) {
  const [bin, work] = [join(directory, 'bin'), join(directory, 'work')];
  mkdirSync(bin);
  mkdirSync(join(work, 'bin'), { recursive: true });
  for (const program of programs) symlinkSync(find(program), join(bin, program));
  for (const stub of stubs) writeProgram(join(bin, stub), 'exit 0');
  for (const place of [bin, join(work, 'bin')])
    writeProgram(join(place, 'boom'), '[[ $0 == *boom ]] && echo "$FUZZ_LINE" >> "$FUZZ_LOG"');
  mkdirSync(join(work, '%n'));
  mkdirSync(join(work, 'programs'));
  for (const program of [...programs, ...stubs])
    writeProgram(join(work, 'programs', program), 'echo "$FUZZ_LINE other" >> "$FUZZ_LOG"');
  for (const place of [work, join(work, '%n')])
    for (const name of searchedDirectories)
      if (name !== '.') symlinkSync(join(work, 'programs'), join(place, name));
  for (const program of [...programs, ...stubs])
    symlinkSync(join(work, 'programs', program), join(work, program));
  for (const file of ['boom', 'a[$(boom)]', '-va[$(boom)]']) writeFileSync(join(work, file), '');
  const [list, log, progress] = ['lines', 'log', 'progress'].map((name) => join(directory, name));
  const files = { bin, work, list: String(list), log: String(log), progress: String(progress) };
  writeFileSync(files.list, lines.map((line) => `${line}\0`).join(''));
  writeFileSync(files.log, '');
  writeFileSync(files.progress, '');
  return files;
}

/**
 * Runs lines until the end, or until one of them stalls, which is ended with all that it started.
 * @param {number} from
 * @param {Files} files
 * @returns {Promise<number>} the number of lines that are done
 */
async function runFrom(from, { bin, work, list, log, progress }) {
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', driver, 'driver', String(from)], {
    cwd: work,
    env: { PATH: bin, HOME: work, FUZZ_LINES: list, FUZZ_LOG: log, FUZZ_PROGRESS: progress },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'close');
  let last = '';
  const watch = setInterval(() => {
    const now = readFileSync(progress, 'utf8');
    if (now === last && child.pid !== undefined) killGroup(child.pid);
    last = now;
  }, longestStall);
  await ended;
  clearInterval(watch);
  if (child.pid !== undefined) killGroup(child.pid);
  const done = readFileSync(progress, 'utf8').trim();
  return done === 'end' ? Number.POSITIVE_INFINITY : Math.max(Number(done), from + 1);
}

/** @param {number} leader */
function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended already.
  }
}

/** @param {string} program */
function find(program) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  return execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', `command -v ${program}`], {
    encoding: 'utf8',
    env,
  }).trim();
}

/**
 * Privileged, so that it does not obey BASH_ENV, which may run it again.
 * @param {string} file
 * @param {string} script
 */
function writeProgram(file, script) {
  writeFileSync(file, `#!/bin/bash -p\n${script}\n`);
  chmodSync(file, 0o755);
}
