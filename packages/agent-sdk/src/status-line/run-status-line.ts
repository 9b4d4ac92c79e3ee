import type { JsonObject } from '@robota-sdk/agent-core';
import { runStatusCommand } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from '../state/tool-context.ts';

export interface StatusLineContext {
  /** Version of the program. */
  readonly version: string;
  /** Milliseconds that the session is open. */
  readonly openMs: number;
}

/** The first line that the command of the `statusLine` setting prints; undefined where there is none, or hooks are off. */
export async function runStatusLine(
  session: InteractiveSession,
  figures: StatusLineContext,
): Promise<string | undefined> {
  const command = session.settings?.terminal.statusLine?.command;
  const config = session.live?.config;
  if (command === undefined || config?.areHooksOff || session.replay) return undefined;
  const ui = session.getSession();
  const context = toolContextOf(ui, { signal: new AbortController().signal });
  const workspace = { ...context.workspace, cwd: session.place.cwd };
  const line = await runStatusCommand({
    command,
    payload: payloadOf(session, figures),
    trust: config?.trust,
    context: { ...context, workspace },
    ui,
  });
  return line === undefined ? undefined : session.redact(line);
}

/** The input of the command, with the names that Claude Code uses. */
function payloadOf(session: InteractiveSession, { version, openMs }: StatusLineContext): JsonObject {
  const { cwd } = session.place;
  const { usage, cost } = session.totals;
  const { usedTokens, maxTokens, usedPercentage } = session.getContextState();
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    hook_event_name: 'Status',
    session_id: session.id,
    cwd,
    model: { id: session.model.id, display_name: session.model.name },
    workspace: { current_dir: cwd, project_dir: cwd },
    version,
    permission_mode: session.permissions.mode,
    cost: { total_cost_usd: cost, total_duration_ms: Math.round(openMs) },
    context_window: {
      total_input_tokens: input,
      total_output_tokens: usage.output,
      context_window_size: maxTokens,
      used_tokens: usedTokens,
      used_percentage: Math.round(usedPercentage),
      remaining_percentage: Math.max(0, 100 - Math.round(usedPercentage)),
    },
    exceeds_200k_tokens: usedTokens > 200_000,
  };
}
