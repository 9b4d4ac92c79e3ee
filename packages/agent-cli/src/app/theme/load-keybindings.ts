import { readFile } from 'node:fs/promises';
import { errorMessage, type HostEnvironment, userPaths } from '@robota-sdk/agent-sdk';
import { Keybindings } from '@robota-sdk/agent-tui';

/** Which keys do what, and what in the person's file can't be used, each with its place. */
export interface LoadedKeybindings {
  readonly keys: Keybindings;
  readonly problems: readonly string[];
}

/** Reads the person's `keybindings.json`; without one, keys do what they do at first. */
export async function loadKeybindings(host: HostEnvironment): Promise<LoadedKeybindings> {
  const path = userPaths(host).keybindings;
  const written = await readFile(path, 'utf8').catch((thrown: unknown) => thrown);
  if (typeof written !== 'string') {
    const isMissing = written instanceof Error && 'code' in written && written.code === 'ENOENT';
    const problem = `${path} can't be read, so the default keys are used: ${errorMessage(written)}`;
    return { keys: new Keybindings(), problems: isMissing ? [] : [problem] };
  }
  // The reader is loaded only where there is a file.
  const { readKeybindings } = await import('@robota-sdk/agent-tui');
  const { overrides, problems } = await readKeybindings(written);
  return {
    keys: new Keybindings(overrides),
    problems: problems.map(({ line, message }) => `${path}:${line}: ${message}`),
  };
}
