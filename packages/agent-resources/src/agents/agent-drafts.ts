import type { HookGroup, ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import { commandLine, hookSubject, modelSubject, resourceFolders, scriptsOf } from '@robota-sdk/agent-config';
import { agentChooser, readAgents } from './load-agents.ts';

/** Finds the models that a repository's agents request, and the hooks that they bring. */
export async function agentDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('agents', cwd, host).filter(({ scope }) => scope === 'project');
  return (await readAgents(folders)).flatMap(({ definition, folder }) => {
    if (!definition) return [];
    const { hooks = [], source = folder.path } = definition;
    const model = modelSubject(agentChooser(definition, folder));
    return [...(model ? [{ ...model, source }] : []), ...hooks.flatMap((group) => hookDrafts(group, cwd))];
  });
}

function hookDrafts(group: HookGroup, cwd: string): readonly TrustDraft[] {
  return group.hooks.map((hook) => {
    const command = commandLine(hook);
    const scripts = command === undefined ? {} : scriptsOf(command, cwd, {});
    return { ...hookSubject(group, hook), source: group.source, ...scripts };
  });
}
