/** One line of a diff; `line` is its number in the new file, or in the old one if it was removed. */
export interface DiffLine {
  /** A gap stands for lines between two hunks. */
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
  readonly line?: number;
  /** Set if the file ends with this line and without a line break. */
  readonly noNewline?: true;
  /** How many unchanged lines a gap hides. */
  readonly hidden?: number;
}

/** The change of one file. The counts cover the whole change; `lines` may be cut, which `more` says. */
export interface FileDiff {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  /** The kind of change; not known for diffs that earlier versions stored. */
  readonly change?: 'edit' | 'create' | 'delete' | 'rename';
  /** The former path of a renamed file. */
  readonly from?: string;
  readonly added?: number;
  readonly removed?: number;
  /** How many lines were left out at the end. */
  readonly more?: number;
}
