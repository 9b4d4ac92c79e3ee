import type { HiddenFiles, StateKey, ToolScope } from '@robota-sdk/agent-core';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';

/** What the rules of a session hide from searches; set by whoever knows the rules. */
export interface HiddenFromSearch {
  files?: HiddenFiles;
}

export const hiddenFromSearch: StateKey<HiddenFromSearch> = {
  name: 'hidden-from-search',
  create: () => ({}),
};

/** What a search must leave out: what rules hide, and what the sandbox hides from commands. */
export async function filesToLeaveOut(scope: ToolScope): Promise<HiddenFiles | undefined> {
  const { files } = scope.state.get(hiddenFromSearch);
  if (scope.state.get(sandboxAccess).mode === 'off') return files;
  const { sandboxedFiles } = await import('../sandbox/sandboxed-files.ts');
  const closed = await sandboxedFiles(scope);
  if (!files || !closed) return files ?? closed;
  return {
    isHidden: (file) => files.isHidden(file) || closed.isHidden(file),
    mayHideBelow: (directory) => files.mayHideBelow(directory) || closed.mayHideBelow(directory),
  };
}
