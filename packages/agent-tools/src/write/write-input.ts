import type { PathUse } from '../files/resolve-path.ts';

/** Input of Write: a file and its whole content. */
export interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

/** The file a call replaces. */
export function writtenPath(input: WriteInput): PathUse {
  return { input, path: input.file_path, kind: 'write' };
}
