import { type AgentRun, textOf } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { bashTool, denialOf } from '@robota-sdk/agent-tools';
import type { CheckRun } from '../contract/goal-report.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import { callTool } from '../state/call-tool.ts';
import { toolContextOf } from '../state/tool-context.ts';

/** Milliseconds; a check may build and test everything. */
const longestCheck = 600_000;
/** Characters from the end of the output that the model and the report get. */
const keptOutput = 8_000;

interface CheckRequest {
  readonly command: string;
  readonly permissions: SessionPermissions;
  readonly signal: AbortSignal;
}

/** Its result decides on the goal, so it cannot move to the background. */
const neededBash: typeof bashTool = {
  ...bashTool,
  execute: (input, context) => bashTool.execute(input, { ...context, isNeeded: true }),
};

/**
 * Runs the check of a goal as a call of Bash: with its hooks, sandbox and output limit. The user approved exactly
 * this command, so it needs no question; deny rules still win.
 */
export async function runCheck(
  session: Conversation,
  { command, permissions, signal }: CheckRequest,
): Promise<CheckRun> {
  const result = await callTool(
    { getSession: () => session },
    {
      name: bashTool.name,
      input: { command, timeout: longestCheck },
      tools: [neededBash],
      signal,
      authorize: judgeOf(session, command, permissions),
    },
  );
  const { exitCode = null, durationMs = 0 } = result;
  const passed = result.status === 'success' && exitCode === 0;
  const output = textOf(result.content).trim().slice(-keptOutput);
  return { command, passed, exitCode, durationMs, output };
}

function judgeOf(
  session: Conversation,
  command: string,
  permissions: SessionPermissions,
): AgentRun['authorize'] {
  return async ({ access, hook }, signal) => {
    const isSame = access.every((each) => each.kind === 'run' && each.command === command);
    if (!isSame) return { allowed: false, reason: 'a hook changed the command, which was not approved' };
    if (hook?.verdict === 'deny') return { allowed: false, reason: hook.reason };
    const { workspace } = toolContextOf(session, { signal });
    const { ignored, rules } = permissions;
    const reason = await denialOf({ command, deny: rules.deny, ignored, workspace });
    return reason === undefined ? { allowed: true } : { allowed: false, reason };
  };
}
