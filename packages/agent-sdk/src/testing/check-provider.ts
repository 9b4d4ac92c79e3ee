import {
  AgentError,
  callback,
  checkArguments,
  eventsOf,
  having,
  list,
  type ModelEvent,
  type ModelRequest,
  object,
  objectInstance,
  optional,
  text,
} from '@robota-sdk/agent-core';
import { apiOf, type DefinedProvider, withProviders } from '../client/define-provider.ts';

/** Text and events of a provider's answer. */
export interface ProviderReport {
  readonly text: string;
  readonly events: readonly ModelEvent[];
}

/**
 * Sends one prompt to a provider and throws if its stream breaks the rules: blocks end, and the last event is an end.
 */
export async function checkProvider(
  provider: DefinedProvider,
  options: { readonly prompt?: string } = {},
): Promise<ProviderReport> {
  checkArguments('checkProvider', {
    provider: [
      provider,
      having({ vendor: text, models: list(objectInstance), provider: having({ stream: callback }) }),
    ],
    options: [options, object({}, { prompt: optional(text) })],
  });
  const { prompt = 'Hello' } = options;
  const events: ModelEvent[] = [];
  for await (const event of eventsOf(provider.provider.stream(requestOf(provider, prompt))))
    events.push(event);
  const last = events.at(-1);
  if (last?.type === 'error') throw new AgentError(last.failure.code, last.failure.message);
  if (last?.type !== 'end') throw new AgentError('protocol', 'The stream has no "end" event.');
  const answer = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { text: answer, events };
}

function requestOf(provider: DefinedProvider, prompt: string): ModelRequest {
  const { models } = withProviders({ vendors: [], models: [] }, [provider]);
  const [model] = models;
  if (!model) throw new AgentError('usage', `${apiOf(provider)} has no models.`);
  const content = [{ type: 'text', text: prompt } as const];
  return {
    model,
    system: 'You are terse.',
    messages: [{ role: 'user', id: 'm1', parentId: null, timestamp: 0, content }],
    tools: [],
    thinking: 'off',
    signal: new AbortController().signal,
  };
}
