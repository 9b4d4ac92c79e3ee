import type { StateKey } from '@robota-sdk/agent-core';

/** What an editor does for the tools of a session, each where it offers it. Paths are absolute and real. */
export interface EditorPort {
  /** The text of a file as the person sees it, unsaved changes included; nothing where the editor cannot tell. */
  readText?(path: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Writes a file through the editor, so that an open one changes before the person's eyes; false where it does not. */
  writeText?(path: string, text: string): Promise<boolean>;
  /** Runs a command where the person sees it; nothing where the editor cannot. When the signal aborts, it is ended. */
  runCommand?(command: EditorCommand, signal: AbortSignal): Promise<EditorCommandEnd | undefined>;
}

/** A shell command for the editor's terminal. */
export interface EditorCommand {
  readonly callId: string;
  readonly command: string;
  readonly cwd: string;
  /** All that the command may see of the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a command printed, as far as the editor kept it, and how it ended. */
export interface EditorCommandEnd {
  readonly output: string;
  /** The beginning of the output is missing. */
  readonly isCut: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The editor that a session works in, if there is one. */
export const editorAccess: StateKey<{ port?: EditorPort }> = { name: 'editorAccess', create: () => ({}) };
