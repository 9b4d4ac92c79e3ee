import { join } from 'node:path';
import { FileSessionLogger } from '@robota-sdk/agent-sessions';

/** Where the logs of subagents go. */
export interface SubagentLogs {
  readonly directory: string;
  /** Values that must never appear in them, such as keys in use. */
  readonly secrets: readonly string[];
}

/** The log of a subagent: `{base}/{parentSessionId}/subagents/{agentId}.jsonl`. */
export function createSubagentLogger(
  parentSessionId: string,
  agentId: string,
  base: string | SubagentLogs,
): FileSessionLogger {
  const { directory, secrets } = typeof base === 'string' ? { directory: base, secrets: [] } : base;
  return new FileSessionLogger({
    file: join(directory, parentSessionId, 'subagents', `${agentId}.jsonl`),
    sessionId: agentId,
    secrets,
  });
}
