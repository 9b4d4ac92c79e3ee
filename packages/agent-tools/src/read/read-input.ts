import type { PathUse } from '../files/resolve-path.ts';

/** Input of Read: a file and the lines to read. */
export interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
  /** Pages of a PDF, such as `1-5`. */
  readonly pages?: string;
}

/** Maximum lines per call. */
export const maxLines = 2_000;

/** The file a call reads. */
export function readPath(input: ReadInput): PathUse {
  return { input, path: input.file_path, kind: 'read' };
}
