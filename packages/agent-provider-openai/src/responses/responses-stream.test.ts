import { directWire } from '@robota-sdk/agent-testing';
import { responsesStreamSuite } from './fixtures/responses-stream-suite.ts';

responsesStreamSuite(directWire);
