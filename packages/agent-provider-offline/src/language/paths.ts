const rootNames = new Set(
  '. ./ project repo repository codebase workspace root directory folder here code cwd'.split(' '),
);

/** True if a word means the folder we are in. */
export function isRootName(word: string): boolean {
  return rootNames.has(word.toLowerCase());
}

/** The lines after the name of a file: `2-3` of `README.md:2-3`. */
export function linesOfPath(word: string): string | undefined {
  const isFile = word.startsWith('@') || /\.\w+:/.test(word);
  return isFile ? /:(\d{1,7}(?:(?:-|–|\.\.)\d{1,7})?)$/.exec(word)?.[1] : undefined;
}

/** A path as the tools want it: without the mention sign, lines, a leading `./` or a slash at the end. */
export function cleanPath(word: string): string {
  const lines = linesOfPath(word);
  const file = lines === undefined ? word : word.slice(0, -lines.length - 1);
  const path = file.replace(/^@(file:)?/, '').replace(/^(\.\/)+(?=.)/, '');
  return path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path;
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A pattern that matches this path only. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}()!\\]/g, '\\$&');
}
