import { directWire } from '@robota-sdk/agent-testing';
import { chatSuite } from '../../suites/chat-suite.ts';

chatSuite(directWire);
