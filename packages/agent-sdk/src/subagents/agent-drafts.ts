import { resourceFolders } from '../resources/resource-folders.ts';
import { modelSubject } from '../trust/model-subject.ts';
import type { ProjectSource } from '../trust/trust-collector.ts';
import type { TrustDraft } from '../trust/trust-item.ts';
import { agentChooser, readAgents } from './load-agents.ts';

/** Finds the models that the agents of a repository ask for. */
export async function agentDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const folders = resourceFolders('agents', cwd, host).filter(({ scope }) => scope === 'project');
  return (await readAgents(folders)).flatMap(({ definition, folder }) => {
    const subject = definition && modelSubject(agentChooser(definition, folder));
    return subject ? [{ ...subject, source: definition.source ?? folder.path }] : [];
  });
}
