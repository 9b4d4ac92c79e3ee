import type { ProviderWire } from '@robota-sdk/agent-testing';
import { chatHarness } from './chat-harness.ts';
import { contentSuite } from './content-suite.ts';
import { endSuite } from './end-suite.ts';

/** Answers of Chat Completions, over the vendor's own server or a cloud's. */
export function chatSuite(wire: ProviderWire): void {
  const harness = chatHarness(wire);
  contentSuite(harness);
  endSuite(harness);
}
