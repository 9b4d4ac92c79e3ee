import { errorMessage, type HostEnvironment, keybindingFiles, readRegularFile } from '@robota-sdk/agent-sdk';
import { Keybindings } from '@robota-sdk/agent-tui';

/** Which keys do what, and what in the person's file can't be used, each with its place. */
export interface LoadedKeybindings {
  readonly keys: Keybindings;
  readonly problems: readonly string[];
}

/** Reads the user's `keybindings.json`: ours, else that of pi or rab; without one, the default keys count. */
export async function loadKeybindings(host: HostEnvironment): Promise<LoadedKeybindings> {
  for (const path of keybindingFiles(host)) {
    const written = await readRegularFile(path).catch((thrown: unknown) => thrown);
    if (written instanceof Buffer) return read(path, written.toString());
    const isMissing = written instanceof Error && 'code' in written && written.code === 'ENOENT';
    const problem = `Cannot read ${path}, so the default keys are used: ${errorMessage(written)}`;
    if (!isMissing) return { keys: new Keybindings(), problems: [problem] };
  }
  return { keys: new Keybindings(), problems: [] };
}

async function read(path: string, written: string): Promise<LoadedKeybindings> {
  // The reader is loaded only where there is a file.
  const { readKeybindings } = await import('@robota-sdk/agent-tui');
  const { overrides, problems } = await readKeybindings(written);
  return {
    keys: new Keybindings(overrides),
    problems: problems.map(({ line, message }) => `${path}:${line}: ${message}`),
  };
}
