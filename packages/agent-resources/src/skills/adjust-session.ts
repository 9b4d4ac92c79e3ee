import { given } from '@robota-sdk/agent-core';
import { agentModels, modelsWithin } from '../agents/agent-models.ts';
import type { SubagentHost } from '../source/subagent-host.ts';
import type { Skill } from './skill.ts';

/** Applies the model and effort that a skill requests; the returned function reverts it. */
export async function adjustSession(skill: Skill, host: SubagentHost): Promise<() => Promise<void>> {
  const { session } = host;
  const { models, thinking } = session;
  const { effort = thinking } = skill;
  const wanted = modelsFor(skill, host);
  if (wanted !== models) session.useModel(wanted);
  if (effort !== thinking) await session.setThinking(effort);
  return async () => {
    // Keeps a model that was chosen meanwhile.
    if (session.models === wanted) session.useModel(models);
    if (session.thinking === effort && effort !== thinking) await session.setThinking(thinking);
  };
}

function modelsFor(skill: Skill, host: SubagentHost) {
  const { model, restrictsTools, disallowedTools = [] } = skill;
  const { models, notice } = agentModels(host, model);
  if (notice !== undefined) host.session.notify({ level: 'warning', text: notice });
  return modelsWithin(models, { disallowedTools, ...given('tools', restrictsTools && skill.allowedTools) });
}
