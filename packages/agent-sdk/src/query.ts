import type {
  AgentEvent,
  Extension,
  PermissionMode,
  ThinkingLevel,
  UserInterface,
} from '@robota-sdk/agent-core';
import type { Compaction } from '@robota-sdk/agent-sessions';
import { createInteractiveSession, type InteractiveSessionOptions } from './create-interactive-session.ts';
import type { HostEnvironment } from './dialects.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** What a one-off question may set; everything else comes from the project's and the user's files. */
export interface QueryOptions {
  readonly cwd?: string;
  /** Home directory and environment variables; those of this process unless given. */
  readonly host?: HostEnvironment;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly maxTurns?: number;
  readonly maxCost?: number;
  readonly thinking?: ThinkingLevel;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly extensions?: readonly Extension<InteractiveSession>[];
  /** The person to ask; without one, whatever needs a yes is denied. */
  readonly terminal?: UserInterface;
  readonly signal?: AbortSignal;
  /** Kept on disk like a session of the command line; off unless asked for. */
  readonly persist?: boolean;
  readonly onTextDelta?: (delta: string) => void;
  /** Fires when the older part of the conversation was replaced by a summary, or old tool output left out. */
  readonly onCompact?: (compaction: Compaction) => void;
  /** A tool that the vendor runs itself, such as web search. */
  readonly onServerToolUse?: (name: string, summary: string) => void;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** Answers one prompt with the tools and settings of a directory; throws an `AgentError` if it can't. */
export async function query(prompt: string, options: QueryOptions = {}): Promise<string> {
  const { allow, ask, deny, signal, persist, ...rest } = options;
  const setup: InteractiveSessionOptions = {
    ...rest,
    rules: { allow, ask, deny },
    store: persist ? 'new' : 'none',
  };
  const session = await createInteractiveSession(setup);
  const stop = session.on('event', (event) => report(event, options));
  try {
    return await session.getSession().run(prompt, signal ? { signal } : {});
  } finally {
    stop();
    await session.shutdown();
  }
}

function report(event: AgentEvent, options: QueryOptions): void {
  options.onEvent?.(event);
  if (event.type === 'text-delta') options.onTextDelta?.(event.text);
  if (event.type === 'server-tool') options.onServerToolUse?.(event.content.name, event.content.summary);
}
