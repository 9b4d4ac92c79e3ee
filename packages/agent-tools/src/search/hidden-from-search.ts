import type { HiddenFiles, StateKey, ToolScope } from '@robota-sdk/agent-core';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';

/** Files that the session's rules hide from searches. */
export interface HiddenFromSearch {
  files?: HiddenFiles;
}

export const hiddenFromSearch: StateKey<HiddenFromSearch> = {
  name: 'hidden-from-search',
  create: () => ({}),
};

/** Files that a search must skip: hidden by rules, or by the sandbox. */
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
