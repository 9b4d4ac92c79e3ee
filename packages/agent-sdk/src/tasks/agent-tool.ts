import {
  AgentError,
  given,
  givenFields,
  type JsonObject,
  type Tool,
  type ToolContext,
  type ToolOutput,
  textOutput,
  totalTokens,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import {
  findDefinition,
  fitDescriptions,
  type SubagentHost,
  subagentHost,
} from '@robota-sdk/agent-resources';
import { strictSchema } from '@robota-sdk/agent-tools';
import type { TaskAction } from './task-actions.ts';

interface AgentInput {
  readonly prompt?: string;
  readonly description?: string;
  readonly subagent_type?: string;
  readonly model?: string;
  readonly isolation?: 'worktree';
  readonly run_in_background?: boolean;
  readonly task?: TaskAction;
}

/** The tool by which a model delegates work to an agent. */
export function agentTool(definitions: readonly IAgentDefinition[]): Tool<AgentInput> {
  return {
    name: 'Agent',
    description: `Hand a self-contained task to an agent with a fresh context; it works alone and returns its report. Give it all it needs to know. Several calls in one message run side by side.\nAgents:\n${listed(definitions)}`,
    input: strictSchema<AgentInput>(schema, advice),
    access: ({ prompt, subagent_type = 'general-purpose' }) =>
      prompt === undefined ? [] : [{ kind: 'use', name: subagent_type }],
    execute: async (input, context) => {
      const host = context.state.peek(subagentHost);
      if (!host) throw new AgentError('tool', 'This session cannot start agents.');
      const { prompt, task } = input;
      if ((prompt === undefined) === (task === undefined))
        throw new AgentError(
          'tool',
          'Give either prompt, to start an agent, or task, to see background tasks.',
        );
      if (task !== undefined) return actOnTask(task, context);
      const work = { ...input, prompt: prompt ?? '' };
      const { background } = findDefinition(work.subagent_type ?? 'general-purpose', host.definitions);
      const isBackground = input.run_in_background ?? background ?? false;
      return isBackground ? startInBackground(work, host, context) : run(work, host, context);
    },
  };
}

const schema: JsonObject = {
  type: 'object',
  properties: {
    prompt: { type: 'string', description: 'The task, complete in itself' },
    description: { type: 'string', description: 'The task in a few words' },
    subagent_type: { type: 'string', description: 'Which agent; general-purpose unless given' },
    model: { type: 'string', description: 'Another model than the agent’s own' },
    isolation: { enum: ['worktree'], description: 'Work in a git worktree and branch of its own' },
    run_in_background: {
      type: 'boolean',
      description: 'Return a task id at once; you are told the result when it is there',
    },
    task: {
      type: 'object',
      description: 'Instead of prompt: see, continue or end background tasks',
      properties: {
        action: { enum: ['list', 'read', 'send', 'stop'] },
        id: { type: 'string' },
        prompt: { type: 'string', description: 'For send' },
      },
      required: ['action'],
    },
  },
};

const which = 'Use subagent_type to name the agent.';

/** Names under which models look for the choice of an agent. */
const advice = { agent: which, agent_type: which, agent_name: which, name: which, type: which };

type Work = AgentInput & { readonly prompt: string };

async function run(work: Work, host: SubagentHost, context: ToolContext): Promise<ToolOutput> {
  const { prompt, subagent_type = 'general-purpose', model, isolation } = work;
  const definition = findDefinition(subagent_type, host.definitions);
  const [{ describeEvent, runSubagent }, { Transcripts }] = await Promise.all([
    import('../subagents/run-subagent.ts'),
    import('../subagents/transcripts.ts'),
  ]);
  let calls = 0;
  const result = await runSubagent({
    definition,
    host,
    prompt,
    signal: context.signal,
    callId: context.callId,
    ...(await new Transcripts(host).agentOf(context.callId)),
    ...given('model', model),
    ...given('isolation', isolation),
    onEvent: (event) => {
      const line = describeEvent(event, host);
      if (line === undefined) return;
      calls++;
      context.progress(line);
    },
  });
  const { text, outcome, totals } = result;
  const used = { tokens: totalTokens(totals.usage), calls, cost: totals.cost };
  return textOutput(text, {
    isError: outcome.status !== 'completed',
    display: { kind: 'text', text, ...used },
  });
}

async function startInBackground(work: Work, host: SubagentHost, context: ToolContext): Promise<ToolOutput> {
  const { startTask } = await import('./task-actions.ts');
  const { prompt, description, subagent_type, model, isolation } = work;
  const request = {
    prompt,
    ...givenFields({ label: description, agentType: subagent_type, model, isolation }),
  };
  return textOutput(await startTask(request, host, context));
}

async function actOnTask(action: TaskAction, context: ToolContext): Promise<ToolOutput> {
  const { runTaskAction } = await import('./task-actions.ts');
  return textOutput(await runTaskAction(action, context));
}

/** Characters of one description. */
const descriptionLimit = 300;

function listed(definitions: readonly IAgentDefinition[]): string {
  const lines = definitions.map(({ description }) => description.replace(/\s+/g, ' ').trim());
  const fitting = fitDescriptions(lines, descriptionLimit);
  return definitions.map(({ name }, index) => `- ${name}: ${fitting[index]}`.replace(/: $/, '')).join('\n');
}
