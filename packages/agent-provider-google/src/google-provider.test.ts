import { directWire } from '@robota-sdk/agent-testing';
import { googleSuite } from '../suites/google-suite.ts';

googleSuite(directWire);
