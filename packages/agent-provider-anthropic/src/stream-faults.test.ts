import { directWire } from '@robota-sdk/agent-testing';
import { streamFaultSuite } from './fixtures/stream-faults-suite.ts';

streamFaultSuite(directWire);
