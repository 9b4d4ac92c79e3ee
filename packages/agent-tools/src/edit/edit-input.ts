import type { PathUse } from '../files/resolve-path.ts';
import type { Edit } from './find-match.ts';

/** Input of Edit: one edit, or several for the same file. */
export interface EditInput {
  readonly file_path: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly edits?: readonly Edit[];
}

/** The file a call changes. */
export function editedPath(input: EditInput): PathUse {
  return { input, path: input.file_path, kind: 'write' };
}
