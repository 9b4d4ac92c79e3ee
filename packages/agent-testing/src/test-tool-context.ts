import type { ToolContext } from '@robota-sdk/agent-core';
import { testToolEnvironment } from './test-run.ts';

/** What a tool needs to be called directly, rooted in a directory. */
export function testToolContext(cwd: string, extra: Partial<ToolContext> = {}): ToolContext {
  return {
    ...testToolEnvironment(cwd),
    callId: 'call-1',
    signal: new AbortController().signal,
    progress: () => {},
    ...extra,
  };
}
