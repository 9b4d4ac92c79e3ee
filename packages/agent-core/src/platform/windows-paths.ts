import path, { type posix } from 'node:path';
/**
 * Windows paths as Git Bash writes them: `C:\shop\a.ts` is `/c/shop/a.ts`. Rules and command lines use this form, so
 * permissions are judged in it; file systems need the other. Paths of other systems are unchanged.
 */
export function posixPath(path: string): string {
  const [, drive, rest = ''] = /^([A-Za-z]):(?:[\\/](.*))?$/s.exec(path) ?? [];
  if (drive !== undefined)
    return `/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}`.replace(/(?<=.)\/$/, '');
  return isShare(path) ? path.replaceAll('\\', '/') : path;
}

/** Reverses `posixPath`: `/c/shop/a.ts` is `C:\shop\a.ts`. */
export function windowsPath(path: string): string {
  const [, drive, rest = ''] = /^\/([A-Za-z])(?:\/(.*))?$/s.exec(path) ?? [];
  if (drive === undefined) return path.replaceAll('/', '\\');
  return `${drive.toUpperCase()}:\\${rest.replaceAll('/', '\\')}`;
}

/** True for a Windows path: with a drive or of a share. */
export function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path) || isShare(path);
}

/**
 * Converts Windows paths in a command line to Git Bash's form, for judging only. Bash removes backslashes outside
 * quotes, so this may find more paths than the command has: that can only deny or ask more.
 */
export function posixCommand(command: string): string {
  return command.replace(
    /(?<![A-Za-z0-9])([A-Za-z]):([\\/][^\s"'`;|&<>()]*)/g,
    (_, drive: string, rest: string) => `/${drive.toLowerCase()}${rest.replaceAll('\\', '/')}`,
  );
}

function isShare(path: string): boolean {
  return path.startsWith('\\\\');
}

/**
 * The relative path between two paths, with slashes on every system, as patterns, models and stored files expect. A
 * path on another Windows drive is absolute.
 */
export function relativePath(from: string, to: string, paths: typeof posix = path): string {
  const relative = paths.relative(from, to);
  return paths.sep === '/' ? relative : relative.replaceAll(paths.sep, '/');
}
