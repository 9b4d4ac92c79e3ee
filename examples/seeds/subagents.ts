// Agent definitions of a directory, and a subagent made from what its parent has loaded.
import { loadConfig, loadContext } from '@robota-sdk/agent-sdk';
import {
  AgentDefinitionLoader,
  assembleSubagentPrompt,
  createSubagentLogger,
  createSubagentSession,
  type IAgentDefinition,
} from '@robota-sdk/agent-sdk/compat';

const cwd = process.cwd();
const { definitions } = await new AgentDefinitionLoader(cwd).load();
console.log(definitions.map(({ name }) => name).join(' '));

const definition: IAgentDefinition = {
  name: 'reviewer',
  description: 'Reviews changes.',
  systemPrompt: 'List defects.',
  tools: ['Read', 'Grep'],
  maxTurns: 5,
};
const [config, context] = await Promise.all([loadConfig(cwd), loadContext(cwd)]);
const session = createSubagentSession({
  definition,
  config,
  context,
  logger: createSubagentLogger('parent', 'reviewer', `${cwd}/logs`),
});
console.log(await session.run('Review it'));
await session.close();
const prompt = assembleSubagentPrompt({ agentBody: definition.systemPrompt, context, cwd });
console.log(prompt.startsWith('List defects.'));
