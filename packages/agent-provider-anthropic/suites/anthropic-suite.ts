import type { ProviderWire } from '@robota-sdk/agent-testing';
import { answerSuite } from './answer-suite.ts';
import { anthropicHarness } from './anthropic-harness.ts';
import { requestSuite } from './request-suite.ts';
import { streamFaultSuite } from './stream-fault-suite.ts';

/** The Messages API, over the vendor's own server or a cloud's. */
export function anthropicSuite(wire: ProviderWire): void {
  const harness = anthropicHarness(wire);
  answerSuite(harness);
  requestSuite(harness);
  streamFaultSuite(harness);
}
