import { describe } from 'vitest';
import { anthropicSuite } from '../../agent-provider-anthropic/suites/anthropic-suite.ts';
import { googleSuite } from '../../agent-provider-google/suites/google-suite.ts';
import { chatSuite } from '../../agent-provider-openai/suites/chat-suite.ts';
import { responsesSuite } from '../../agent-provider-openai/suites/responses-suite.ts';
import { azureWire, bedrockWire, vertexWire } from './fixtures/cloud-front.ts';

describe('Claude by Amazon Bedrock', () => anthropicSuite(bedrockWire));
describe('Claude by Vertex AI', () => anthropicSuite(vertexWire));
describe('Gemini by Vertex AI', () => googleSuite(vertexWire));
describe('Azure OpenAI', () => {
  responsesSuite(azureWire);
  chatSuite(azureWire);
});
