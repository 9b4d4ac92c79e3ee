const rootNames = new Set([
  '.',
  './',
  'project',
  'repo',
  'repository',
  'codebase',
  'workspace',
  'root',
  'directory',
  'folder',
  'here',
  'code',
  'cwd',
]);

/** True if a word means the folder we are in. */
export function isRootName(word: string): boolean {
  return rootNames.has(word.toLowerCase());
}

/** A path as the tools want it: without the mention sign, a leading `./` or a slash at the end. */
export function cleanPath(word: string): string {
  const path = word.replace(/^@(file:)?/, '').replace(/^(\.\/)+(?=.)/, '');
  return path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A pattern that matches this path only. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}()!\\]/g, '\\$&');
}
