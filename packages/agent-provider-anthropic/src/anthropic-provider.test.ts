import { directWire } from '@robota-sdk/agent-testing';
import { anthropicSuite } from '../suites/anthropic-suite.ts';

anthropicSuite(directWire);
