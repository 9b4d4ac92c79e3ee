import { describe } from 'vitest';
import { anthropicProviderSuite } from '../../agent-provider-anthropic/src/fixtures/anthropic-provider-suite.ts';
import { streamFaultSuite } from '../../agent-provider-anthropic/src/fixtures/stream-faults-suite.ts';
import { googleProviderSuite } from '../../agent-provider-google/src/fixtures/google-provider-suite.ts';
import { chatStreamSuite } from '../../agent-provider-openai/src/chat/fixtures/chat-stream-suite.ts';
import { responsesStreamSuite } from '../../agent-provider-openai/src/responses/fixtures/responses-stream-suite.ts';
import { azureWire, bedrockWire, vertexWire } from './fixtures/cloud-front.ts';

describe('Claude by Amazon Bedrock', () => {
  anthropicProviderSuite(bedrockWire);
  streamFaultSuite(bedrockWire);
});

describe('Claude by Vertex AI', () => {
  anthropicProviderSuite(vertexWire);
  streamFaultSuite(vertexWire);
});

describe('Gemini by Vertex AI', () => {
  googleProviderSuite(vertexWire);
});

describe('Azure OpenAI', () => {
  responsesStreamSuite(azureWire);
  chatStreamSuite(azureWire);
});
