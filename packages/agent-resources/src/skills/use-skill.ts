import { type CommandOutcome, type ToolContext, type ToolOutput, textOutput } from '@robota-sdk/agent-core';
import { limitText } from '@robota-sdk/agent-tools';
import { adjustSession } from './adjust-session.ts';
import { renderSkill, type SkillUse, skillBlock } from './render-skill.ts';
import { runSkillAgent, type SkillAgentUse } from './run-skill-agent.ts';
import type { Skill } from './skill.ts';
import { installHooks } from './skill-hooks.ts';

/** Instructions must be complete, so they may be longer than other results. */
const textLimit = 100_000;

/** Uses a skill because the model called for it: the result is its text, or the answer of the agent that did it. */
export async function useInCall(use: SkillUse, context: ToolContext): Promise<ToolOutput> {
  const { skill, args, host, signal, active } = use;
  if (host && skill.context !== 'inline') {
    const { text, outcome } = await runSkillAgent({ ...use, host, progress: context.progress });
    return textOutput(text, { isError: outcome.status !== 'completed' });
  }
  const rendered = await renderSkill(use);
  active.join(rendered.skill, signal);
  if (host) await adjustUntilEnd(rendered.skill, { ...use, host });
  const { outputDir, callId } = context;
  const limited = await limitText(skillBlock(rendered, args), { outputDir, name: callId, limit: textLimit });
  return textOutput(limited.text);
}

/** Runs a skill for the user: its text becomes the prompt, or an agent's answer the outcome. */
export async function useByCommand(use: SkillAgentUse): Promise<CommandOutcome> {
  return use.skill.context === 'inline' ? promptOf(use) : reportOf(use);
}

/** The run continues with the model, effort and hooks of the skill. */
async function adjustUntilEnd(skill: Skill, use: SkillAgentUse): Promise<void> {
  const { session } = use.host;
  const restore = await adjustSession(skill, use.host);
  const removeHooks = installHooks(skill, use);
  const stop = session.subscribe(async (event) => {
    if (event.type !== 'run-end') return;
    stop();
    removeHooks();
    await restore();
  });
}

async function promptOf(use: SkillAgentUse): Promise<CommandOutcome> {
  const { args, host, active } = use;
  const rendered = await renderSkill(use);
  const { skill } = rendered;
  const restore = await adjustSession(skill, host);
  const end = active.begin(skill);
  const removeHooks = installHooks(skill, use);
  return {
    kind: 'prompt',
    text: skillBlock(rendered, args),
    ...(skill.maxTurns === undefined ? {} : { maxTurns: skill.maxTurns }),
    after: async () => {
      end();
      removeHooks();
      await restore();
    },
  };
}

/** The answer of an agent as it joins the conversation, so that later prompts can refer to it. */
function answerText({ name, args, text }: { name: string; args: string; text: string }): string {
  const body = text.replace(/<(?=\/skill-answer\b)/gi, '&lt;');
  return `${`/${name} ${args}`.trim()}\n\n<skill-answer name="${name}">\n${body}\n</skill-answer>`;
}

async function reportOf(use: SkillAgentUse): Promise<CommandOutcome> {
  const { text, outcome, agentId, transcriptPath } = await runSkillAgent(use);
  if (outcome.status !== 'completed') return { kind: 'error', text };
  const { skill, args, host } = use;
  await host.session.context.tell(answerText({ name: skill.name, args, text }), 'command');
  const transcript = transcriptPath === undefined ? {} : { transcriptPath };
  return { kind: 'notice', text, data: { skill: skill.name, agentId, ...transcript } };
}
