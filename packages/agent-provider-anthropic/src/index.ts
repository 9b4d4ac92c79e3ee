export { createAnthropicProvider } from './anthropic-provider.ts';
