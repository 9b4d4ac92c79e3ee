import type { PathUse } from '../files/resolve-path.ts';

/** What the model gives: a file and all of its content. */
export interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

/** The file a call replaces. */
export function writtenPath(input: WriteInput): PathUse {
  return { input, path: input.file_path, kind: 'write' };
}
