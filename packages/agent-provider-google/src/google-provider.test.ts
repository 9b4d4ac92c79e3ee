import { directWire } from '@robota-sdk/agent-testing';
import { googleProviderSuite } from './fixtures/google-provider-suite.ts';

googleProviderSuite(directWire);
