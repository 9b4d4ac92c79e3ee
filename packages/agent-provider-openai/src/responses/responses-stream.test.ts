import { directWire } from '@robota-sdk/agent-testing';
import { responsesSuite } from '../../suites/responses-suite.ts';

responsesSuite(directWire);
