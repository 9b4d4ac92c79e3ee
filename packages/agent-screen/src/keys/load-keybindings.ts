import {
  errorMessage,
  type HostEnvironment,
  keybindingFiles,
  readRegularFile,
} from '@robota-sdk/agent-sdk/front-end';
import { type AppKeybindings, appActions, createAppKeybindings } from './app-actions.ts';

/** The user's key bindings, and the problems of the file, each with its path and line. */
export interface LoadedKeybindings {
  readonly keys: AppKeybindings;
  readonly problems: readonly string[];
}

/** Reads the user's `keybindings.json`: ours, else that of pi or rab; without one, the default keys count. */
export async function loadKeybindings(host: HostEnvironment): Promise<LoadedKeybindings> {
  for (const path of keybindingFiles(host)) {
    const written = await readRegularFile(path).catch((thrown: unknown) => thrown);
    if (written instanceof Buffer) return read(path, written.toString());
    const isMissing = written instanceof Error && 'code' in written && written.code === 'ENOENT';
    const problem = `Cannot read ${path}, so the default keys are used: ${errorMessage(written)}`;
    if (!isMissing) return { keys: createAppKeybindings(), problems: [problem] };
  }
  return { keys: createAppKeybindings(), problems: [] };
}

async function read(path: string, written: string): Promise<LoadedKeybindings> {
  // The reader is loaded only where there is a file.
  const { readKeybindings } = await import('@robota-sdk/agent-tui');
  const { formerActionId } = await import('./former-action-ids.ts');
  const schema = { actions: appActions, formerAction: formerActionId };
  const { overrides, problems } = await readKeybindings(written, schema);
  return {
    keys: createAppKeybindings(overrides),
    problems: problems.map(({ line, message }) => `${path}:${line}: ${message}`),
  };
}
