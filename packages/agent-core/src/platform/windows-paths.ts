/**
 * Windows paths as Git Bash writes them: `C:\shop\a.ts` is `/c/shop/a.ts`. Permissions are judged in that form, since
 * rules and command lines are written in it; file systems are asked in the other. Paths of other systems stay as they are.
 */
export function posixPath(path: string): string {
  const [, drive, rest = ''] = /^([A-Za-z]):(?:[\\/](.*))?$/s.exec(path) ?? [];
  if (drive !== undefined)
    return `/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}`.replace(/(?<=.)\/$/, '');
  return isShare(path) ? path.replaceAll('\\', '/') : path;
}

/** The way back: `/c/shop/a.ts` is `C:\shop\a.ts`. */
export function windowsPath(path: string): string {
  const [, drive, rest = ''] = /^\/([A-Za-z])(?:\/(.*))?$/s.exec(path) ?? [];
  if (drive === undefined) return path.replaceAll('/', '\\');
  return `${drive.toUpperCase()}:\\${rest.replaceAll('/', '\\')}`;
}

/** True for a path that only Windows has: with a drive, or of a share. */
export function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:(?:[\\/]|$)/.test(path) || isShare(path);
}

/**
 * A command line with its Windows paths in the form of Git Bash, for judging only. Bash takes a backslash outside quotes
 * away, so more is taken for a path than the command means: that can only forbid or ask more.
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
