import type { DiffLine, FileDiff } from '@robota-sdk/agent-diff';

/** The two contents of a changed file; a missing one means that there is no file. */
export interface FileVersions {
  /** Absolute. */
  readonly path: string;
  readonly before?: Buffer | undefined;
  readonly after?: Buffer | undefined;
  /** The mode of the old file, to create it again. */
  readonly mode?: number | undefined;
  /** Why it can only be looked at. */
  readonly refusal?: string | undefined;
}

/** Lines from `start` to before `end`, counted from 0. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** `open`: not decided yet. */
export type HunkState = 'open' | 'kept' | 'taken back';

/** Neighbouring changed lines of a file, which are kept or taken back together. */
export interface ReviewHunk {
  /** Identifies the same change in a later review of the same files. */
  readonly key: string;
  /** With unchanged lines around; empty for binary files. */
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  readonly old: LineRange;
  readonly now: LineRange;
}

/** A changed file of a review. */
export interface ReviewFile {
  /** Absolute. */
  readonly path: string;
  /** The path as users see it: relative to the folder of the review where it is inside. */
  readonly name: string;
  readonly change: 'edit' | 'create' | 'delete';
  readonly diff: FileDiff;
  /** Set if both contents have these line ends, which the lines of the diff leave out. */
  readonly lineEnd?: '\r\n';
  readonly hunks: readonly ReviewHunk[];
  readonly added: number;
  readonly removed: number;
  /** Sizes in bytes if a content is no text. */
  readonly binary?: { readonly before?: number; readonly after?: number };
  /** Why it can only be looked at. */
  readonly refusal?: string;
}
