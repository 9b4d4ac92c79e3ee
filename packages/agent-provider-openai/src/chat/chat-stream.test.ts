import { directWire } from '@robota-sdk/agent-testing';
import { chatStreamSuite } from './fixtures/chat-stream-suite.ts';

chatStreamSuite(directWire);
