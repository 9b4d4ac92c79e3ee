import type { Authorizer } from '@robota-sdk/agent-core';
import { findDefinition } from '../agents/find-definition.ts';
import type { IAgentDefinition } from '../source/agent-definition.ts';
import type { AgentAnswer, SubagentHost } from '../source/subagent-host.ts';
import { renderSkill, type SkillUse, skillBlock } from './render-skill.ts';
import type { Skill } from './skill.ts';
import { installHooks } from './skill-hooks.ts';
import { disallowedRules, toolRules } from './skill-rules.ts';

/** A skill that an agent executes outside the conversation. */
export interface SkillAgentUse extends SkillUse {
  readonly host: SubagentHost;
  /** Receives the agent's progress. */
  progress?(line: string): void;
}

/**
 * Lets an agent execute a skill and returns its answer. A fork gets the skill as its prompt, a named agent as its task.
 */
export async function runSkillAgent(use: SkillAgentUse): Promise<AgentAnswer> {
  const { host, args, signal } = use;
  const rendered = await renderSkill(use);
  const { skill, text } = rendered;
  const isFork = skill.context !== 'agent';
  const definition = isFork ? forkOf(skill, text) : agentFor(skill, host);
  const removeHooks = installHooks(skill, use);
  const task = {
    definition: withTools(definition, skill),
    authorize: guard(host, skill, use),
    prompt: isFork ? forkPrompt(skill, args) : skillBlock(rendered, args),
    signal,
    isForkWorker: isFork,
    ...(skill.model === undefined ? {} : { model: skill.model }),
    progress: (line: string) => use.progress?.(line),
  };
  return host.runAgent(task).finally(removeHooks);
}

/** The agent that a skill names: first of its plugin. Without one of that name, the general one does the work. */
function agentFor({ name, plugin, agent = 'general-purpose' }: Skill, host: SubagentHost): IAgentDefinition {
  const { definitions, session } = host;
  const names = plugin === undefined ? [agent] : [`${plugin}:${agent}`, agent];
  const found = names.map((each) => definitions.find((definition) => definition.name === each)).find(Boolean);
  if (found) return found;
  const isKnown = definitions.some((each) => each.name.toLowerCase() === agent.toLowerCase());
  if (!isKnown)
    session.notify({
      level: 'warning',
      text: `The skill ${name} names the unknown agent "${agent}". The agent general-purpose does it.`,
    });
  return findDefinition(isKnown ? agent : 'general-purpose', definitions);
}

function forkOf({ name, description }: Skill, text: string): IAgentDefinition {
  return { name: `skill ${name}`, description, systemPrompt: text };
}

function forkPrompt({ name }: Skill, args: string): string {
  const asked = args.trim();
  return asked === '' ? `Do what the skill "${name}" says.` : asked;
}

/** The agent without the tools that the skill disallows. */
function withTools(definition: IAgentDefinition, skill: Skill): IAgentDefinition {
  const { maxTurns = definition.maxTurns } = skill;
  const listed = skill.restrictsTools && skill.allowedTools;
  const allowed = listed && toolRules(skill, listed).map(({ tool }) => tool);
  const own = definition.tools;
  const tools =
    allowed && own && !own.includes('*') ? own.filter((tool) => allowed.includes(tool)) : (allowed ?? own);
  const denied = disallowedRules(skill, skill.disallowedTools).filter(
    ({ specifier }) => specifier === undefined,
  );
  return {
    ...definition,
    ...(tools === undefined ? {} : { tools }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    disallowedTools: [...(definition.disallowedTools ?? []), ...denied.map(({ tool }) => tool)],
  };
}

/** Judges the agent's calls by the skill first, then as the host does. */
function guard(host: SubagentHost, skill: Skill, { active }: SkillUse): Authorizer['authorize'] {
  return async (request, signal, view) => {
    const word = await active.judge([skill], request.call, request.access);
    if (word && 'block' in word) return { allowed: false, reason: word.block };
    return host.authorize(word && !request.hook ? { ...request, hook: word } : request, signal, view);
  };
}
