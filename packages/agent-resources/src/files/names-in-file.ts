/** What a file with a skill, a command or an agent refers to by name. */
export interface NamesInFile {
  readonly path: string;
  readonly tools: readonly string[];
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
}
