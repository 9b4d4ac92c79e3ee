import { agentModels } from '../subagents/agent-models.ts';
import type { SubagentHost } from '../subagents/subagent-host.ts';
import type { Skill } from './skill.ts';

/** Lets a session work with the model and the effort that a skill asks for; the returned function takes it back. */
export async function adjustSession(
  { model, effort }: Pick<Skill, 'model' | 'effort'>,
  host: SubagentHost,
): Promise<() => Promise<void>> {
  const { session } = host;
  const { models, thinking } = session;
  const wanted = agentModels(host, model);
  if (wanted.notice !== undefined) session.notify({ level: 'warning', text: wanted.notice });
  if (wanted.models !== models) session.useModel(wanted.models);
  if (effort !== undefined && effort !== thinking) await session.setThinking(effort);
  return async () => {
    // Whoever chose another model meanwhile keeps it.
    if (session.models === wanted.models) session.useModel(models);
    if (effort !== undefined && session.thinking === effort && effort !== thinking)
      await session.setThinking(thinking);
  };
}
