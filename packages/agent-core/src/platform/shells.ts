import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { isWithin } from '@robota-sdk/agent-shell';
import { trustedSearchPath } from '../file/host-programs.ts';

/** The system that commands run on; tests describe another one. */
export interface ShellHost {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project, whose programs are never taken. */
  readonly cwd?: string;
  /** True if a file is there and can be started. */
  isProgram(file: string): boolean;
}

/** Finds the bash that runs commands; undefined where there is none. */
export function findBash(host: ShellHost = ownShells): string | undefined {
  const candidates = host.platform === 'win32' ? gitBashes(host) : ['/bin/bash', ...onPath('bash', host)];
  return candidates.find((file) => host.isProgram(file));
}

/**
 * The program and its arguments that run a command line: bash, on Windows that of Git. Where there is none, `/bin/sh`
 * elsewhere; on Windows nothing, since permissions are judged by the grammar of bash and no other shell reads it.
 */
export function bashWords(command: string, host: ShellHost = ownShells): readonly string[] | undefined {
  const bash = findBash(host);
  if (bash !== undefined) return [bash, '--noprofile', '--norc', '-c', '--', command];
  return host.platform === 'win32' ? undefined : ['/bin/sh', '-c', '--', command];
}

/** The same for a line of the user's own settings, which nothing judges: on Windows `cmd` reads it as users expect. */
export function userShellWords(command: string, host: ShellHost = ownShells): readonly string[] {
  if (host.platform === 'win32') return [commandPrompt(host), '/d', '/s', '/c', `"${command}"`];
  return bashWords(command, host) ?? [];
}

/** PowerShell: the one that Windows brings, or `pwsh` elsewhere. */
export function powershellWords(command: string, { platform }: ShellHost = ownShells): readonly string[] {
  const program = platform === 'win32' ? 'powershell.exe' : 'pwsh';
  return [program, '-NoProfile', '-NonInteractive', '-Command', command];
}

/** Words that open a file with a command of the user, such as the value of EDITOR with its options. */
export function editorWords(editor: string, file: string, host: ShellHost = ownShells): readonly string[] {
  if (host.platform === 'win32') return [commandPrompt(host), '/d', '/s', '/c', `"${editor} "${file}""`];
  return ['/bin/sh', '-c', `${editor} "$1"`, 'sh', file];
}

/** How to get a bash. */
export function bashAdvice(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return 'Install bash.';
  return 'Install Git for Windows (https://git-scm.com), or name its bash.exe in ROBOTA_GIT_BASH.';
}

/**
 * The bash of Git for Windows: named by the user, beside git on the search path, or where its installer puts it. That of
 * WSL in System32 is never taken: it has other files.
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

/** Only the one of the system: a project could put another into its folder. */
function commandPrompt({ env }: ShellHost): string {
  const root = env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows';
  return path.win32.join(root, 'System32', 'cmd.exe');
}

/** This machine. */
export const ownShells: ShellHost = {
  platform: process.platform,
  env: process.env,
  isProgram: (file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  },
};
