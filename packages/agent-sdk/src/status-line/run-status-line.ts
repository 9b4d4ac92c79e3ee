import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, userPaths } from '@robota-sdk/agent-config';
import { GrowingFold, type JsonObject, type Message } from '@robota-sdk/agent-core';
import { countChanges } from '@robota-sdk/agent-diff';
import { runStatusCommand } from '@robota-sdk/agent-resources';
import { selectedAgent } from '../input/select-agent.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from '../state/tool-context.ts';
import { RequestClock } from './request-clock.ts';

export interface StatusLineContext {
  /** Version of the program. */
  readonly version: string;
  /** Milliseconds that the session is open. */
  readonly openMs: number;
  /** Mode of the vim keys in the editor, such as `NORMAL`. */
  readonly vimMode?: string | undefined;
}

/** The first line printed by the command of the `statusLine` setting; undefined if there is none, or hooks are off. */
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
    payload: { ...payloadOf(session, figures), ...(await worktreeOf(session, config)) },
    trust: config?.trust,
    context: { ...context, workspace },
    ui,
  });
  return line === undefined ? undefined : session.redact(line);
}

/** The input of the command, with the names that Claude Code uses. */
function payloadOf(session: InteractiveSession, { version, openMs, vimMode }: StatusLineContext): JsonObject {
  const { cwd } = session.place;
  const { usage, cost } = session.totals;
  const { usedTokens, maxTokens, usedPercentage } = session.getContextState();
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const agent = selectedAgent(session);
  return {
    hook_event_name: 'Status',
    session_id: session.id,
    ...fileOf(session),
    ...(session.branches.name === undefined ? {} : { session_name: session.branches.name }),
    cwd,
    model: { id: session.model.id, display_name: session.model.name },
    workspace: { current_dir: cwd, project_dir: cwd, added_dirs: [...session.permissions.directories] },
    version,
    output_style: { name: 'default' },
    effort: { level: session.thinking },
    thinking: { enabled: session.thinking !== 'off' },
    permission_mode: session.permissions.mode,
    ...(vimMode === undefined ? {} : { vim: { mode: vimMode } }),
    ...(agent === undefined ? {} : { agent: { name: agent } }),
    cost: {
      total_cost_usd: cost,
      total_duration_ms: Math.round(openMs),
      total_api_duration_ms: clockOf(session).elapsedMs,
      ...changedLines.of(session.getMessages()),
    },
    context_window: {
      total_input_tokens: input,
      total_output_tokens: usage.output,
      context_window_size: maxTokens,
      used_tokens: usedTokens,
      used_percentage: Math.round(usedPercentage),
      remaining_percentage: Math.max(0, 100 - Math.round(usedPercentage)),
      current_usage: currentUsage(session.getMessages()),
    },
    exceeds_200k_tokens: usedTokens > 200_000,
  };
}

/** The clocks of sessions, each from the first run of its status line on. */
const clocks = new WeakMap<InteractiveSession, RequestClock>();

function clockOf(session: InteractiveSession): RequestClock {
  const known = clocks.get(session);
  if (known) return known;
  const clock = new RequestClock();
  session.subscribe((event) => clock.take(event));
  clocks.set(session, clock);
  return clock;
}

/** The worktree that a session with `-w` works in. */
async function worktreeOf({ place }: InteractiveSession, config: Config | undefined): Promise<JsonObject> {
  if (config === undefined) return {};
  const { findBranch, ownWorktree } = await import('@robota-sdk/agent-worktree');
  const own = ownWorktree(place.cwd, userPaths(config.host).data);
  if (own === undefined) return {};
  const { name, path, original } = own;
  const branch = await findBranch(path);
  return { worktree: { name, path, original_cwd: original, ...(branch === undefined ? {} : { branch }) } };
}

/** The file of the session; a session that is not saved has none. */
function fileOf({ outputDir }: InteractiveSession): JsonObject {
  const file = join(dirname(outputDir), 'session.jsonl');
  return existsSync(file) ? { transcript_path: file } : {};
}

/** Lines that calls of the session changed. */
const changedLines = new GrowingFold<
  Message,
  { readonly total_lines_added: number; readonly total_lines_removed: number }
>(
  () => ({ total_lines_added: 0, total_lines_removed: 0 }),
  (sum, message) => {
    const display = message.role === 'tool' ? message.display : undefined;
    if (display?.kind !== 'diff') return sum;
    const { added, removed } = countChanges(display);
    return {
      total_lines_added: sum.total_lines_added + added,
      total_lines_removed: sum.total_lines_removed + removed,
    };
  },
);

/** Tokens of the latest answer; null before the first one. */
function currentUsage(messages: readonly Message[]): JsonObject | null {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (last?.role !== 'assistant') return null;
  const { input, output, cacheRead, cacheWrite } = last.usage;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}
