import type { StateKey } from '@robota-sdk/agent-core';

/** Services of an editor for the tools of a session, each optional. Paths are absolute and real. */
export interface EditorPort {
  /** The text of a file as shown in the editor, with unsaved changes; undefined if the editor cannot tell. */
  readText?(path: string, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Writes a file through the editor, so that an open one updates visibly; resolves to false if unsupported.
   */
  writeText?(path: string, text: string): Promise<boolean>;
  /** Runs a command in the editor's terminal; undefined if unsupported. Aborting the signal ends it. */
  runCommand?(command: EditorCommand, signal: AbortSignal): Promise<EditorCommandEnd | undefined>;
}

/** A shell command for the editor's terminal. */
export interface EditorCommand {
  readonly callId: string;
  readonly command: string;
  readonly cwd: string;
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string>>;
}

/** The output of a command, as far as the editor kept it, and its exit status. */
export interface EditorCommandEnd {
  readonly output: string;
  /** True if the beginning of the output is missing. */
  readonly isCut: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The editor that a session works in, if there is one. */
export const editorAccess: StateKey<{ port?: EditorPort }> = { name: 'editorAccess', create: () => ({}) };
