import { spawn } from 'node:child_process';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-core';

export interface TextSearch {
  readonly directory: string;
  /** Relative paths of files and directories. */
  readonly entries: readonly string[];
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
}

/** The first file below the entries that holds one of the texts; undefined if none does. */
export async function findTextInFiles({
  directory,
  entries,
  texts,
  signal,
}: TextSearch): Promise<string | undefined> {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.length >= shortest);
  if (entries.length === 0 || lines.length === 0) return undefined;
  // By standard input, so that no list of processes shows them.
  const args = ['-rlF', '-s', '-m1', '-f', '-', '--', ...entries.map((entry) => `./${entry}`)];
  return firstLine({ program: 'grep', args, directory, input: `${lines.join('\n')}\n`, signal });
}

const shortest = 6;

/** The first symbolic link below the entries that leads to a directory by its absolute path. */
export async function findLinkTo({
  directory,
  entries,
  signal,
}: Omit<TextSearch, 'texts'>): Promise<string | undefined> {
  if (entries.length === 0) return undefined;
  const pattern = `${directory.replace(/[*?[\]\\]/g, '\\$&')}*`;
  const args = [...entries.map((entry) => `./${entry}`), '-type', 'l', '-lname', pattern, '-print'];
  return firstLine({ program: 'find', args, directory, input: '', signal });
}

interface Search {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly input: string;
  readonly signal: AbortSignal;
}

function firstLine({ program, args, directory, input, signal }: Search): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const file = findProgram(program, { before: ['/usr/bin', '/bin'], cwd: directory });
    if (file === undefined) return reject(new Error(`${program} is not installed.`));
    const child = spawn(file, args, {
      cwd: directory,
      env: helperEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
      signal,
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) child.kill('SIGKILL');
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', () => resolve(text.split('\n')[0]?.replace(/^\.\//, '') || undefined));
  });
}
