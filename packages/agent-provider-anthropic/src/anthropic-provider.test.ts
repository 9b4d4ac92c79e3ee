import { directWire } from '@robota-sdk/agent-testing';
import { anthropicProviderSuite } from './fixtures/anthropic-provider-suite.ts';

anthropicProviderSuite(directWire);
