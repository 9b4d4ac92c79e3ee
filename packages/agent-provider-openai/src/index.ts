export { createOpenAIChatProvider } from './chat/chat-provider.ts';
export { createOpenAIResponsesProvider } from './responses/responses-provider.ts';
