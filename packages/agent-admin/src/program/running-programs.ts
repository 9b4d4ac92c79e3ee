import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  amount,
  isJsonObject,
  isWithin,
  list,
  object,
  orElse,
  parseJson,
  text,
} from '@robota-sdk/agent-core';
import { commandFiles, type Installation } from './installation.ts';

/** A process of this machine. */
export interface ListedProcess {
  readonly pid: number;
  /** The whole command line. */
  readonly line: string;
  /** Its words, where the system keeps them apart. */
  readonly words?: readonly string[];
  readonly cwd?: string | undefined;
  readonly executable?: string | undefined;
}

/** How processes are listed; undefined if the system does not tell. */
export type ProcessList = () => Promise<readonly ListedProcess[] | undefined>;

/** The other processes that run this installation; undefined if they cannot be listed. */
export async function findRunning(
  installation: Installation,
  list: ProcessList = () => listProcesses(process.platform),
): Promise<readonly ListedProcess[] | undefined> {
  const all = await list();
  const isOurs =
    installation.kind === 'executable' ? runsFile(installation.path) : runsPackage(installation.path);
  return all?.filter((one) => one.pid !== process.pid && isOurs(one));
}

/** Names running processes: "process 12 (fleet start), process 34". */
export function describeRunning(processes: readonly ListedProcess[]): string {
  const shown = processes.slice(0, 5).map(({ pid, words }) => {
    const said = words?.slice(words.findIndex((word) => /robota(?:\.exe)?$|bin\.js$/.test(word)) + 1) ?? [];
    const verb = said.filter((word) => /^[a-z]{2,12}$/.test(word)).slice(0, 2);
    return verb.length === 0 ? `process ${pid}` : `process ${pid} (${verb.join(' ')})`;
  });
  const more = processes.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function runsFile(file: string): (one: ListedProcess) => boolean {
  return ({ executable, line }) =>
    executable === undefined ? line.startsWith(file) || line.startsWith(`"${file}"`) : executable === file;
}

function runsPackage(root: string): (one: ListedProcess) => boolean {
  const commands = commandFiles(root);
  return ({ words, line, cwd = '/' }) => {
    if (words === undefined) return [root, ...commands].some((path) => isNode(line) && line.includes(path));
    if (!isNode(words[0] ?? '')) return false;
    return words
      .slice(1, 9)
      .some((word) => !word.startsWith('-') && isWithin(root, realPath(resolve(cwd, word))));
  };
}

/** An editor or a pager may have a file of ours open, too; `env` is about to become Node. */
function isNode(line: string): boolean {
  const [program = ''] = /^"[^"]*"|^\S+/.exec(line) ?? [];
  return /^(?:node|nodejs|bun|env)(?:\.exe)?$/i.test(
    basename(program.replaceAll('"', '').replaceAll('\\', '/')),
  );
}

/** Lists the processes of the system by its own means. */
export async function listProcesses(
  platform: NodeJS.Platform,
  run: (file: string, words: readonly string[]) => Promise<string> = outputOf,
): Promise<readonly ListedProcess[] | undefined> {
  try {
    if (platform === 'linux') return fromProc();
    if (platform === 'win32') return parseWindowsList(await run('powershell.exe', windowsQuery));
    return parsePsList(await run('/bin/ps', ['-axww', '-o', 'pid=,command=']));
  } catch {
    return undefined;
  }
}

const windowsQuery = [
  '-NoProfile',
  '-NonInteractive',
  '-Command',
  'Get-CimInstance Win32_Process | Select-Object ProcessId,CommandLine,ExecutablePath | ConvertTo-Json -Compress',
];

/** Reads lines such as `  123 node /usr/local/bin/robota`. */
function parsePsList(text: string): readonly ListedProcess[] {
  return text.split('\n').flatMap((row) => {
    const [pid = '', ...words] = row.trimStart().split(' ');
    return /^\d+$/.test(pid) ? [{ pid: Number(pid), line: words.join(' ').trimStart() }] : [];
  });
}

/** PowerShell prints one object without a list around it; undefined if it prints something else. */
function parseWindowsList(printed: string): readonly ListedProcess[] | undefined {
  const value = parseJson(printed);
  const rows = list(windowsShape).parse(isJsonObject(value) ? [value] : value);
  return rows?.map(({ ProcessId: pid, CommandLine: line, ExecutablePath: executable }) => ({
    pid,
    line,
    executable,
  }));
}

const windowsShape = object({ ProcessId: amount, CommandLine: text }, { ExecutablePath: text });

function fromProc(): readonly ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
      if (words[0] === '') return [];
      const link = (what: string) => linkOf(`/proc/${name}/${what}`);
      return [{ pid: Number(name), words, line: words.join(' '), cwd: link('cwd'), executable: link('exe') }];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function linkOf(path: string): string | undefined {
  // A process of another user.
  return orElse(() => readlinkSync(path), undefined);
}

function realPath(path: string): string {
  return orElse(() => realpathSync(path), path);
}

async function outputOf(file: string, words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...words], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 20_000,
  });
  return stdout;
}
