import { randomUUID } from 'node:crypto';
import { homeDirectory, silentInterface, type ToolContext } from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';

/** The context of a tool that runs for the user or a user's file, not for the model. */
export function toolContextOf(
  session: Conversation,
  { signal, progress = () => {} }: { readonly signal: AbortSignal; progress?(text: string): void },
): ToolContext {
  const { workspace, env = {}, terminal = silentInterface } = session.state.get(subagentHost).options;
  return {
    workspace: workspace ?? { cwd: process.cwd(), additional: [], home: homeDirectory() },
    env,
    ui: terminal,
    state: session.state,
    outputDir: session.outputDir,
    callId: `by-hand-${randomUUID().slice(0, 8)}`,
    signal,
    progress,
  };
}
