import type { ProviderWire } from '@robota-sdk/agent-testing';
import { answerSuite } from './answer-suite.ts';
import { googleHarness } from './google-harness.ts';
import { requestSuite } from './request-suite.ts';

/** The Gemini API, over the vendor's own server or a cloud's. */
export function googleSuite(wire: ProviderWire): void {
  const harness = googleHarness(wire);
  requestSuite(harness);
  answerSuite(harness);
}
