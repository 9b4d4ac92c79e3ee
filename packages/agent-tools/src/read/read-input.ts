import type { PathUse } from '../files/resolve-path.ts';

/** What the model gives: a file, and which of its lines. */
export interface ReadInput {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Lines that one call gives at most. */
export const maxLines = 2_000;

/** The file a call reads. */
export function readPath(input: ReadInput): PathUse {
  return { input, path: input.file_path, kind: 'read' };
}
