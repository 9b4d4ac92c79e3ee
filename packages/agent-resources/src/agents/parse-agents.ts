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
    omitClaudeMd: flag,
    criticalSystemReminder_EXPERIMENTAL: text,
  },
);

/** Agents from `--agents` or a program, by name; an invalid field is an error. */
export function parseAgents(agents: JsonValue | undefined): IAgentDefinition[] {
  if (!isJsonObject(agents))
    throw new AgentError('usage', 'Invalid agents: expected an object like {"name": {"prompt": "…"}}.');
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
