/** The worktree of an agent that left changes in it. */
export interface KeptWorktree {
  readonly path: string;
  readonly branch: string;
  /** The commit it began with. */
  readonly base: string;
  /** Its path, and how to inspect, merge and delete it; one line each. */
  readonly advice?: string;
}
