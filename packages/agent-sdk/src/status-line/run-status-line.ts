import { statusLineSubject } from '@robota-sdk/agent-config';
import { commandHook, HookProcesses, type JsonObject } from '@robota-sdk/agent-core';
import { sandboxFor } from '@robota-sdk/agent-tools';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from '../state/tool-context.ts';

/** Milliseconds that the command may take. */
const longestRun = 1_000;

export interface StatusLineContext {
  /** Version of the program. */
  readonly version: string;
  /** Milliseconds that the session is open. */
  readonly openMs: number;
}

/**
 * Runs the command of the `statusLine` setting and returns its first line, which may hold control sequences. Returns
 * undefined without such a setting, where hooks are off, and where the command fails, is late or has changed since the
 * user trusted it.
 */
export async function runStatusLine(
  session: InteractiveSession,
  context: StatusLineContext,
): Promise<string | undefined> {
  const command = session.settings?.terminal.statusLine?.command;
  const config = session.live?.config;
  if (command === undefined || config?.areHooksOff || session.replay) return undefined;
  const subject = statusLineSubject({ command });
  const isOfProject = config?.trust?.allows(subject) ?? false;
  // Files that a trusted command runs may change during the session.
  if (isOfProject && !(await config?.trust?.isUnchanged(subject))) return undefined;
  try {
    const text = await run(session, { command, isOfProject, payload: payloadOf(session, context) });
    return text === undefined ? undefined : session.redact(text.split('\n', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

interface StatusRun {
  readonly command: string;
  /** Runs in the sandbox, as hooks of a project do. */
  readonly isOfProject: boolean;
  readonly payload: JsonObject;
}

async function run(
  session: InteractiveSession,
  { command, isOfProject, payload }: StatusRun,
): Promise<string | undefined> {
  const own = session.getSession();
  const { cwd } = session.place;
  const signal = AbortSignal.timeout(longestRun);
  const { workspace, state, outputDir, ...context } = toolContextOf(own, { signal });
  const env = { ...context.env, CLAUDE_PROJECT_DIR: cwd, ROBOTA_PROJECT_DIR: cwd };
  const inside = { workspace: { ...workspace, cwd }, state, env, ui: own, outputDir };
  const sandbox = isOfProject ? await sandboxFor(inside) : undefined;
  const processes = new HookProcesses();
  try {
    const { text } = await commandHook.run({
      definition: { type: 'command', command },
      payload,
      cwd,
      env: { ...env, ...sandbox?.env },
      signal,
      processes,
      enclose: sandbox?.wrap,
    });
    return text;
  } finally {
    await processes.dispose();
    sandbox?.end({ inBackground: false });
  }
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
