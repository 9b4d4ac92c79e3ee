import { join } from 'node:path';
import { FileSessionLogger } from '@robota-sdk/agent-sessions';

/** The log of a subagent: `{baseLogsDir}/{parentSessionId}/subagents/{agentId}.jsonl`. */
export function createSubagentLogger(
  parentSessionId: string,
  agentId: string,
  baseLogsDir: string,
): FileSessionLogger {
  return new FileSessionLogger({
    file: join(baseLogsDir, parentSessionId, 'subagents', `${agentId}.jsonl`),
    sessionId: agentId,
  });
}
