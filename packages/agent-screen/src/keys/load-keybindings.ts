import {
  errorMessage,
  type HostEnvironment,
  keybindingFiles,
  type Problem,
  readRegularFile,
} from '@robota-sdk/agent-sdk/front-end';
import { type AppKeybindings, appActions, createAppKeybindings } from './app-actions.ts';

/** The user's key bindings, and the problems of the file, each with its path and line. */
export interface LoadedKeybindings {
  readonly keys: AppKeybindings;
  readonly problems: readonly string[];
  /** Problems of a file of pi or rab, to be shown once: it is right for the program that it was written for. */
  readonly foreign?: readonly Problem[];
}

/** Reads the user's `keybindings.json`: ours, else that of pi or rab; without one, the default keys count. */
export async function loadKeybindings(host: HostEnvironment): Promise<LoadedKeybindings> {
  for (const [index, path] of keybindingFiles(host).entries()) {
    const written = await readRegularFile(path).catch((thrown: unknown) => thrown);
    if (written instanceof Buffer) return read(path, written.toString(), { isForeign: index > 0 });
    const isMissing = written instanceof Error && 'code' in written && written.code === 'ENOENT';
    const problem = `Cannot read ${path}, so the default keys are used: ${errorMessage(written)}`;
    if (!isMissing) return { keys: createAppKeybindings(), problems: [problem] };
  }
  return { keys: createAppKeybindings(), problems: [] };
}

async function read(
  path: string,
  written: string,
  { isForeign }: { readonly isForeign: boolean },
): Promise<LoadedKeybindings> {
  // The reader is loaded only where there is a file.
  const { readKeybindings } = await import('@robota-sdk/agent-tui');
  const { formerActionId } = await import('./former-action-ids.ts');
  const schema = { actions: appActions, formerAction: formerActionId, isForeign };
  const { overrides, problems } = await readKeybindings(written, schema);
  const keys = createAppKeybindings(overrides);
  if (!isForeign)
    return { keys, problems: problems.map(({ line, message }) => `${path}:${line}: ${message}`) };
  const foreign = problems.map(
    ({ line, message }): Problem => ({
      code: 'keys.unusable',
      severity: 'warning',
      message,
      source: { file: path, line },
    }),
  );
  return { keys, problems: [], foreign };
}
