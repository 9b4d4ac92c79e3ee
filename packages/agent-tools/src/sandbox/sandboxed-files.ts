import { join } from 'node:path';
import { type HiddenFiles, isWithin, type ToolScope } from '@robota-sdk/agent-core';
import type { SandboxPlan } from './sandbox-plan.ts';
import { sandboxAccess } from './sandbox-policy.ts';

/** The access of file tools if commands are sandboxed: the same, in every permission mode. */
export interface SandboxedFiles extends HiddenFiles {
  mayRead(real: string): boolean;
  mayWrite(real: string): boolean;
}

/** The current sandbox rules for files; undefined if commands run without a sandbox. */
export async function sandboxedFiles({ workspace, state }: ToolScope): Promise<SandboxedFiles | undefined> {
  const { mode, policy } = state.get(sandboxAccess);
  if (mode === 'off') return undefined;
  const [{ findSandbox }, { accessTo, planSandbox }] = await Promise.all([
    import('./find-sandbox.ts'),
    import('./sandbox-plan.ts'),
  ]);
  if (mode === 'auto' && (await findSandbox()).kind === 'missing') return undefined;
  const plan = planSandbox({ workspace, policy, path: process.env.PATH });
  const hidden = plan.places.filter(({ access }) => access === 'none');
  const isHidden = (file: string) =>
    hidden.some(({ path }) => isWithin(path, file)) && accessTo(file, plan) === 'none';
  const search = () => ({
    in: (directory: string) =>
      hidden.some(({ path }) => isWithin(path, directory) || isWithin(directory, path))
        ? (name: string) => isHidden(join(directory, name))
        : ('nothing' as const),
  });
  return {
    mayRead: (real) => !isHidden(real),
    mayWrite: (real) => accessTo(real, plan) === 'write' && !isForbiddenName(real, plan),
    isHidden,
    search,
    mayHideBelow: async (directory) =>
      hidden.some(({ path }) => isWithin(directory, path)) || isHidden(directory),
  };
}

/** Names that a command could create only briefly, until they are renamed. */
function isForbiddenName(real: string, { absent, absentFromGit, repositories }: SandboxPlan): boolean {
  if ([...absent, ...absentFromGit].some((path) => isWithin(path, real))) return true;
  const inGit = /^(.*?[\\/]\.git)(?:[\\/]|$)/i.exec(real)?.[1];
  if (inGit === undefined) return false;
  return !repositories.known.has(inGit) && !repositories.grants.some((grant) => isWithin(grant, real));
}
