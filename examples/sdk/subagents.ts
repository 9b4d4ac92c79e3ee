// Events of subagents carry an `agentId`; their cost is part of the result.
import { type AgentDefinition, query } from '@robota-sdk/agent-sdk';

const reviewer: AgentDefinition = {
  name: 'reviewer',
  description: 'Finds defects.',
  systemPrompt: 'List defects.',
  tools: ['Read', 'Grep'],
  model: 'haiku',
};

const run = query('Have the last commit reviewed', { cwd: 'app', agents: [reviewer] });
for await (const event of run)
  if (event.type === 'turn-start')
    console.log(event.agentId === undefined ? 'main' : 'agent', event.model.id);
console.log(await run, Object.keys((await run.result).models).length);
