import { type ApiKind, type Extension, type ProviderFactory, Registry } from '@robota-sdk/agent-core';

/** The adapters that come with the product; each is loaded when a model of its kind is first asked. */
const factories: Readonly<Record<ApiKind, ProviderFactory>> = {
  anthropic: async (connection) => {
    const { createAnthropicProvider } = await import('@robota-sdk/agent-provider-anthropic');
    return createAnthropicProvider(connection);
  },
  openai: async (connection) => {
    const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
    return createOpenAIChatProvider(connection);
  },
  'openai-responses': async (connection) => {
    const { createOpenAIResponsesProvider } = await import('@robota-sdk/agent-provider-openai');
    return createOpenAIResponsesProvider(connection);
  },
  google: async (connection) => {
    const { createGoogleProvider } = await import('@robota-sdk/agent-provider-google');
    return createGoogleProvider(connection);
  },
  ollama: async (connection) => {
    const { createOllamaProvider } = await import('../local/ollama-provider.ts');
    return createOllamaProvider(connection);
  },
  offline: async () => {
    const { createOfflineProvider } = await import('@robota-sdk/agent-provider-offline');
    return createOfflineProvider();
  },
};

export const builtInProviders: Extension = {
  name: 'built-in providers',
  setup: (host) => {
    for (const [api, factory] of Object.entries(factories)) host.provider(api, factory);
  },
};

/** A registry with the built-in adapters only, for calls outside a session. */
export function builtInRegistry(): Registry<ProviderFactory> {
  const registry = new Registry<ProviderFactory>();
  for (const [api, factory] of Object.entries(factories)) registry.add(api, factory, builtInProviders.name);
  return registry;
}
