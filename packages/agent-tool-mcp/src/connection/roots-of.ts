import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Directories as servers are told of them. */
export function rootsOf(directories: readonly string[]): { uri: string; name: string }[] {
  return directories.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path }));
}
