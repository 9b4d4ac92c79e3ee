import { randomUUID } from 'node:crypto';
import { homeDirectory, silentInterface, type ToolContext } from '@robota-sdk/agent-core';
import { hostOf } from '@robota-sdk/agent-resources';
import type { Session } from '@robota-sdk/agent-sessions';

/** What a tool needs that runs because a person or a file of theirs asks for it, not the model. */
export function toolContextOf(
  session: Session,
  { signal, progress = () => {} }: { readonly signal: AbortSignal; progress?(text: string): void },
): ToolContext {
  const { workspace, env = {}, terminal = silentInterface } = hostOf(session).options;
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
