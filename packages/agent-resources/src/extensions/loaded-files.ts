import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folders of the extensions that were loaded in this process. */
const folders = new Set<string>();

/** Notes an extension, so that its later failures can be told from others. */
export function noteExtension(path: string): void {
  folders.add(join(dirname(path), '/'));
}

/** A file of a loaded extension in a stack trace. */
export function extensionFileIn(stack: string): string | undefined {
  for (const folder of folders)
    for (const written of [pathToFileURL(folder).href, folder]) {
      const at = stack.indexOf(written);
      if (at === -1) continue;
      const [file = ''] = /^[^:?()\n]*/.exec(stack.slice(at + written.length)) ?? [];
      return `${folder}${file}`;
    }
  return undefined;
}
