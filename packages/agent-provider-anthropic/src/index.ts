export { createAnthropicProvider, prepareAnthropicRequest } from './anthropic-provider.ts';
