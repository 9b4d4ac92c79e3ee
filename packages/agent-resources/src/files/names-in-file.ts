/** The names that a skill, command or agent file refers to. */
export interface NamesInFile {
  readonly path: string;
  readonly tools: readonly string[];
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
}
