import {
  AgentError,
  count,
  describeMismatch,
  flag,
  given,
  isJsonObject,
  type JsonValue,
  list,
  object,
  permissionModes,
  Report,
  record,
  text,
  words,
} from '@robota-sdk/agent-core';
import { effortShape } from '../files/effort-shape.ts';
import type { IAgentDefinition } from '../source/agent-definition.ts';

const agentShape = object(
  { description: text, prompt: text },
  {
    tools: list(text),
    disallowedTools: list(text),
    model: text,
    effort: effortShape,
    maxTurns: count,
    permissionMode: words(...permissionModes),
    background: flag,
    skills: list(text),
    omitClaudeMd: flag,
    criticalSystemReminder_EXPERIMENTAL: text,
  },
);

/** Agents from `--agents` or a program, by name; an invalid field is an error. */
export function parseAgents(agents: JsonValue | undefined): IAgentDefinition[] {
  if (!isJsonObject(agents))
    throw new AgentError('usage', 'Invalid agents: expected an object like {"name": {"prompt": "…"}}.');
  for (const [name, agent] of Object.entries(agents)) assertSupported(name, withoutEmptyFields(agent));
  const entries = Object.entries(agents).map(([name, agent]) => [name, withoutEmptyFields(agent)]);
  const report = new Report();
  const parsed = record(agentShape).parse(Object.fromEntries(entries), report);
  const [problem] = report.problems.map((found) => describeMismatch(found));
  if (problem || !parsed) throw new AgentError('usage', `Invalid agents: ${problem?.message}`, problem);
  return Object.entries(parsed).map(([name, { prompt, omitClaudeMd, ...fields }]) => {
    const { criticalSystemReminder_EXPERIMENTAL: reminder, ...rest } = fields;
    const systemPrompt = reminder === undefined ? prompt : `${prompt}\n\n${reminder}`;
    return { ...rest, name, systemPrompt, ...given('omitInstructions', omitClaudeMd), source: 'the program' };
  });
}

/** Fields of other programs' agents that are not supported, and what to do instead. */
const unsupported: Readonly<Record<string, string>> = {
  mcpServers:
    'An agent has the servers of the session. Give them to the session, and limit the agent with "tools".',
  memory: 'Robota has no memory of single agents. Write what the agent should know into its prompt.',
  observer: 'Robota has no observers of agents. Use hooks to watch their calls.',
  initialPrompt: 'Send it as the first prompt.',
  autoCompactWindow: 'An agent compacts as the session does.',
};

function assertSupported(name: string, agent: JsonValue): void {
  const field = isJsonObject(agent) && Object.keys(unsupported).find((each) => Object.hasOwn(agent, each));
  if (!field) return;
  const message = `Invalid agents: "${name}.${field}" is not supported.`;
  throw new AgentError('usage', `${message} ${unsupported[field]}`);
}

/** Programs may pass every field they know, even without a value. */
function withoutEmptyFields(agent: JsonValue): JsonValue {
  if (!isJsonObject(agent)) return agent;
  const isGiven = ([key, value]: [string, JsonValue]) =>
    value !== null && (agentShape.keys?.includes(key) || !isEmpty(value));
  return Object.fromEntries(Object.entries(agent).filter(isGiven));
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === false;
}
