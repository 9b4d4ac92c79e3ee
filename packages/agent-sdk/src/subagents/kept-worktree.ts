/** The worktree of an agent that left something in it. */
export interface KeptWorktree {
  readonly path: string;
  readonly branch: string;
  /** The commit it began with. */
  readonly base: string;
  /** Where it is, and how to see it, to take it over and to throw it away; a line for each. */
  readonly advice?: string;
}
