import { join } from 'node:path';
import { AgentError, checkArguments, either, having, list, pathShape, text } from '@robota-sdk/agent-core';
import type { SubagentLogs } from '@robota-sdk/agent-resources';
import { FileSessionLogger } from '@robota-sdk/agent-sessions';

/**
 * The log of a subagent: `{base}/{parentSessionId}/subagents/{agentId}.jsonl`. Ids that would lead elsewhere are
 * refused.
 */
export function createSubagentLogger(
  parentSessionId: string,
  agentId: string,
  base: string | SubagentLogs,
): FileSessionLogger {
  checkArguments('createSubagentLogger', {
    parentSessionId: [parentSessionId, text],
    agentId: [agentId, text],
    base: [base, either(pathShape, having({ directory: pathShape, secrets: list(text) }))],
  });
  assertFileName('parentSessionId', parentSessionId);
  assertFileName('agentId', agentId);
  const { directory, secrets } = typeof base === 'string' ? { directory: base, secrets: [] } : base;
  return new FileSessionLogger({
    file: join(directory, parentSessionId, 'subagents', `${agentId}.jsonl`),
    sessionId: agentId,
    secrets,
  });
}

function assertFileName(option: string, id: string): void {
  if (/^[^/\\\0]+$/.test(id) && id !== '.' && id !== '..') return;
  throw new AgentError(
    'usage',
    `createSubagentLogger: "${id}" cannot be used as ${option}. It must be a file name.`,
  );
}
