import type { Workspace } from './workspace.ts';

/** True if a path is a directory or lies below it; both absolute and normalised. */
export function isWithin(directory: string, path: string): boolean {
  if (path === directory) return true;
  // Windows paths begin with a drive or a backslash, whatever system judges them.
  const separator = directory.startsWith('/') ? '/' : '\\';
  return path.startsWith(directory.endsWith(separator) ? directory : `${directory}${separator}`);
}

/** True if a real path lies in the working directory or in a directory the user added. */
export function isInWorkspace(path: string, workspace: Workspace): boolean {
  return [workspace.cwd, ...workspace.additional].some((root) => isWithin(root, path));
}
