import type { Workspace } from './workspace.ts';

/** True if a path is a directory or below it; both absolute and normalized. */
export function isWithin(directory: string, path: string): boolean {
  if (path === directory) return true;
  // Windows paths start with a drive or a backslash, on any system.
  const separator = directory.startsWith('/') ? '/' : '\\';
  return path.startsWith(directory.endsWith(separator) ? directory : `${directory}${separator}`);
}

/** True if a real path is in the working directory or in a directory the user added. */
export function isInWorkspace(path: string, workspace: Workspace): boolean {
  return [workspace.cwd, ...workspace.additional].some((root) => isWithin(root, path));
}
