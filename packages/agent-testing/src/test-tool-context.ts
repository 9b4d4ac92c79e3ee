import type { ToolContext } from '@robota-sdk/agent-core';
import { testToolEnvironment } from './test-run.ts';

/** A context to call a tool directly, rooted in a directory. */
export function testToolContext(cwd: string, extra: Partial<ToolContext> = {}): ToolContext {
  return {
    ...testToolEnvironment(cwd),
    callId: 'call-1',
    signal: new AbortController().signal,
    progress: () => {},
    ...extra,
  };
}
