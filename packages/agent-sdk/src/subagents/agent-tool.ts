import { AgentError, jsonSchema, nearest, type Tool, textOutput } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from './agent-definition.ts';
import { describeEvent, runSubagent } from './run-subagent.ts';
import { subagentHost } from './subagent-host.ts';

interface AgentInput {
  readonly prompt: string;
  readonly description?: string;
  readonly subagent_type?: string;
  readonly model?: string;
}

/** The tool by which a model hands work to an agent of its own. */
export function agentTool(definitions: readonly IAgentDefinition[]): Tool<AgentInput> {
  return {
    name: 'Agent',
    description: `Hand a self-contained task to an agent with a fresh context; it works alone and returns its report. Give it all it needs to know. Several calls in one message run side by side.\nAgents:\n${definitions.map(listed).join('\n')}`,
    input: jsonSchema<AgentInput>({
      type: 'object',
      properties: {
        prompt: { type: 'string', description: 'The task, complete in itself' },
        description: { type: 'string', description: 'The task in a few words' },
        subagent_type: { type: 'string', description: 'Which agent; general-purpose unless given' },
        model: { type: 'string', description: 'Another model than the agent’s own' },
      },
      required: ['prompt'],
    }),
    access: () => [],
    execute: async ({ prompt, subagent_type = 'general-purpose', model }, context) => {
      const host = context.state.get(subagentHost).current;
      if (!host) throw new AgentError('tool', 'This session can not start agents.');
      const result = await runSubagent({
        definition: findDefinition(subagent_type, host.definitions),
        host,
        prompt,
        signal: context.signal,
        ...(model === undefined ? {} : { model }),
        onEvent: (event) => {
          const line = describeEvent(event);
          if (line !== undefined) context.progress(line);
        },
      });
      return textOutput(result.text, { isError: result.outcome.status !== 'completed' });
    },
  };
}

/** The definition of a name, in whatever capitals; an error lists those there are. */
export function findDefinition(name: string, definitions: readonly IAgentDefinition[]): IAgentDefinition {
  const found =
    definitions.find((each) => each.name === name) ??
    definitions.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = definitions.map((each) => each.name);
  const [near] = nearest(name, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new AgentError('usage', `There is no agent "${name}"; there are ${names.join(', ')}.${hint}`);
}

function listed({ name, description }: IAgentDefinition): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return `- ${name}: ${line.length > 300 ? `${line.slice(0, 299)}…` : line}`;
}
