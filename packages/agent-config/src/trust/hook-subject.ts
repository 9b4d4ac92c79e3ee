import type { HookDefinition, JsonValue } from '@robota-sdk/agent-core';
import type { HookGroup } from './hook-config.ts';
import type { TrustSubject } from './trust-item.ts';

const mainFields = ['command', 'url', 'prompt', 'agent'];

/** A hook of a settings file as something to agree to: when it runs, and all that its definition says. */
export function hookSubject({ event, matcher, env = {} }: HookGroup, hook: HookDefinition): TrustSubject {
  const main = mainFields.find((field) => typeof hook[field] === 'string');
  const { type, ...fields } = hook;
  const rest = Object.entries(fields).filter(([field]) => field !== main);
  const lines = [
    ...(main === undefined ? [`type: ${type}`] : [String(hook[main])]),
    ...(main === undefined || impliedTypes[main] === type ? [] : [`type: ${type}`]),
    ...rest.map(([field, value]: [string, JsonValue]) => `${field}: ${JSON.stringify(value)}`),
    ...Object.entries(env).map(([name, value]) => `with ${name}=${value}`),
  ];
  const name = matcher === '' || matcher === '*' ? event : `${event} (${matcher})`;
  return { kind: 'hook', name, content: lines.join('\n') };
}

const impliedTypes: Readonly<Record<string, string>> = {
  command: 'command',
  url: 'http',
  prompt: 'prompt',
  agent: 'agent',
};
