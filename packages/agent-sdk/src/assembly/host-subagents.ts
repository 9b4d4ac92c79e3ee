import { join } from 'node:path';
import { secretsToHide, userPaths } from '@robota-sdk/agent-config';
import type { Authorizer } from '@robota-sdk/agent-core';
import { given } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { builtInAgents, type SubagentHost, subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation, ConversationOptions } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import { TaskLog } from '../tasks/task-log.ts';
import { TaskRegistry, taskRegistry } from '../tasks/task-registry.ts';

interface HostOptions extends Pick<SubagentHost, 'connect'> {
  readonly options: CreateSessionOptions;
  readonly sessionOptions: ConversationOptions;
  readonly authorize: Authorizer['authorize'];
  /** Gives the tools of a session their settings. */
  equip(session: Conversation): void;
}

/** Lets the tools of a session start agents with its configuration. */
export function hostSubagents(session: Conversation, parts: HostOptions): void {
  const { options, sessionOptions, authorize, connect, equip } = parts;
  const { config, context, handle, tap } = options;
  const secrets = secretsToHide(config, options);
  const host: SubagentHost = {
    session,
    options: sessionOptions,
    context,
    home: userPaths(config.host).data,
    definitions: agentsOf(options),
    authorize,
    agentListeners: new Set(),
    connect,
    adopt: (child) => {
      equip(child);
      tap?.watch(child);
    },
    runAgent: async ({ authorize: judge, progress, ...task }) => {
      const { describeEvent, runSubagent } = await import('../subagents/run-subagent.ts');
      // Definitions may have been loaded again since the session began.
      const current = session.state.get(subagentHost);
      return runSubagent({
        ...task,
        host: { ...current, authorize: judge },
        onEvent: (event) => {
          const line = describeEvent(event, current);
          if (line !== undefined) progress(line);
        },
      });
    },
    expandMentions: async (asking, text, signal) => {
      const { expandMentions } = await import('../input/expand-mentions.ts');
      return expandMentions(asking, text, { by: 'file', signal });
    },
    get language() {
      return config.settings.language;
    },
    // Stored with the session, so that they are deleted with it.
    ...given(
      'logs',
      handle?.directory === undefined ? undefined : { directory: join(handle.directory, 'logs'), secrets },
    ),
  };
  session.state.set(subagentHost, host);
  const file = handle?.directory && join(handle.directory, 'tasks.jsonl');
  const log = file && new TaskLog(file, (text) => session.notify({ level: 'warning', text }));
  const { tasks: settings } = config.settings;
  session.state.set(taskRegistry, new TaskRegistry({ host, settings, ...given('log', log || undefined) }));
}

/** The agents of a session; its own override built-in ones of the same name. */
export function agentsOf({ agents = [] }: Pick<CreateSessionOptions, 'agents'>): readonly IAgentDefinition[] {
  const all = [...builtInAgents, ...[...agents].reverse()];
  return [...new Map(all.map((agent) => [agent.name, agent])).values()];
}
