import type { ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import { modelSubject, resourceFolders } from '@robota-sdk/agent-config';
import { agentChooser, readAgents } from './load-agents.ts';

/** Finds the models that a repository's agents request. */
export async function agentDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('agents', cwd, host).filter(({ scope }) => scope === 'project');
  return (await readAgents(folders)).flatMap(({ definition, folder }) => {
    const subject = definition && modelSubject(agentChooser(definition, folder));
    return subject ? [{ ...subject, source: definition.source ?? folder.path }] : [];
  });
}
