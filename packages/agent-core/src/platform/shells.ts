import path from 'node:path';
import { isWithin } from '@robota-sdk/agent-shell';
import { isProgram, trustedSearchPath } from '../file/host-programs.ts';

/** The system that commands run on; tests replace it. */
export interface ShellHost {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project; programs in it are never used. */
  readonly cwd?: string;
  /** True if a file exists and is executable. */
  isProgram(file: string): boolean;
}

/** Finds the bash that runs commands; undefined if there is none. */
export function findBash(host: ShellHost = ownShells): string | undefined {
  const candidates = host.platform === 'win32' ? gitBashes(host) : ['/bin/bash', ...onPath('bash', host)];
  return candidates.find((file) => host.isProgram(file));
}

/**
 * The program and arguments that run a command line: bash, or Git's bash on Windows. Without bash, `/bin/sh`; on
 * Windows undefined, because permissions are judged by bash grammar and no other shell there uses it.
 */
export function bashWords(command: string, host: ShellHost = ownShells): readonly string[] | undefined {
  const bash = findBash(host);
  if (bash !== undefined) return [bash, '--noprofile', '--norc', '-c', '--', command];
  return host.platform === 'win32' ? undefined : ['/bin/sh', '-c', '--', command];
}

/** Like `bashWords`, for a line of the user's own settings, which is not judged: on Windows `cmd` runs it. */
export function userShellWords(command: string, host: ShellHost = ownShells): readonly string[] {
  if (host.platform === 'win32') return [commandPrompt(host), '/d', '/s', '/c', `"${command}"`];
  return bashWords(command, host) ?? [];
}

/** PowerShell: the one included in Windows, or `pwsh` elsewhere. */
export function powershellWords(command: string, { platform }: ShellHost = ownShells): readonly string[] {
  const program = platform === 'win32' ? 'powershell.exe' : 'pwsh';
  return [program, '-NoProfile', '-NonInteractive', '-Command', command];
}

/** The command line that opens a file in the user's editor, such as `$EDITOR` with its options. */
export function editorWords(editor: string, file: string, host: ShellHost = ownShells): readonly string[] {
  if (host.platform === 'win32') return [commandPrompt(host), '/d', '/s', '/c', `"${editor} "${file}""`];
  return ['/bin/sh', '-c', `${editor} "$1"`, 'sh', file];
}

/** Words that start a program; on Windows `cmd` does, since nothing else runs scripts such as npx.cmd. */
export function programWords(words: readonly string[], host: ShellHost = ownShells): readonly string[] {
  if (host.platform !== 'win32') return words;
  const [program = '', ...args] = words;
  const line = [program, ...args.map(quotedArgument)].map((word) => word.replace(promptMarks, '^$&'));
  return [commandPrompt(host), '/d', '/s', '/c', `"${line.join(' ')}"`];
}

/** Characters with a meaning for `cmd`. */
const promptMarks = /[()[\]%!^"`<>&|;, *?]/g;

/** An argument as Windows programs split their command line: backslashes count twice before a quote. */
function quotedArgument(text: string): string {
  const parts = text.split('"').map((part) => part.replace(/(?<!\\)\\+$/, '$&$&'));
  return /^[^\s"]+$/.test(text) ? text : `"${parts.join('\\"')}"`;
}

/** How to get a bash. */
export function bashAdvice(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return 'Install bash.';
  return 'Install Git for Windows (https://git-scm.com), or name its bash.exe in ROBOTA_GIT_BASH.';
}

/**
 * The bash of Git for Windows: named by the user, next to git on the search path, or at its default location. WSL's
 * bash in System32 is never used: it has another file system.
 */
function gitBashes({ env, cwd, isProgram }: ShellHost): readonly string[] {
  const { win32 } = path;
  const named = [env.ROBOTA_GIT_BASH, env.CLAUDE_CODE_GIT_BASH_PATH];
  const besideGit = windowsSearchPath(env, cwd)
    .filter((directory) => isProgram(win32.join(directory, 'git.exe')))
    .map((directory) => win32.join(directory, '..', 'bin', 'bash.exe'));
  const roots = [
    env.ProgramFiles,
    env['ProgramFiles(x86)'],
    env.LOCALAPPDATA && `${env.LOCALAPPDATA}\\Programs`,
  ];
  const installed = roots.flatMap((root) => (root ? [win32.join(root, 'Git', 'bin', 'bash.exe')] : []));
  return [...named, ...besideGit, ...installed].filter(
    (file): file is string => file !== undefined && win32.isAbsolute(file),
  );
}

function windowsSearchPath(env: ShellHost['env'], cwd: string | undefined): readonly string[] {
  return (env.PATH ?? env.Path ?? '')
    .split(';')
    .filter(
      (directory) => path.win32.isAbsolute(directory) && !/[\\/]node_modules(?:[\\/]|$)/.test(directory),
    )
    .filter((directory) => cwd === undefined || !isWithin(cwd, directory));
}

function onPath(name: string, { env, cwd }: ShellHost): readonly string[] {
  const directories = trustedSearchPath({ env, ...(cwd === undefined ? {} : { cwd }) });
  return directories.map((directory) => path.posix.join(directory, name));
}

/** Only the system's own: a project could contain another. */
function commandPrompt({ env }: ShellHost): string {
  const root = env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows';
  return path.win32.join(root, 'System32', 'cmd.exe');
}

/** This machine. */
export const ownShells: ShellHost = {
  platform: process.platform,
  env: process.env,
  isProgram,
};
