import type { Settings } from '@robota-sdk/agent-config';
import { AgentError, type JsonObject, type Model, type StateKey } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-sessions';
import { hiddenFromSearch } from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { ModelContext } from '../prompt/model-context-of.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { StopWatching } from '../settings/watch-settings.ts';

/** The settings of a session as they are now; nothing where a program gave them. */
export const liveSettings: StateKey<{ current?: LiveSettings; stop?: StopWatching }> = {
  name: 'liveSettings',
  create: () => ({}),
  dispose: ({ stop }) => stop?.(),
};

/** The settings of a session as they are in force now; nothing where a program gave them. */
export function settingsOf(session: Session): Settings | undefined {
  return session.state.get(liveSettings).current?.config.settings;
}

interface FollowParts {
  readonly options: CreateSessionOptions;
  readonly permissions: SessionPermissions;
  surround(model: Model): ModelContext;
}

/** Applies changed settings to a running session. */
export function followSettings(session: Session, { options, permissions, surround }: FollowParts): void {
  const { live } = options;
  if (!live) return;
  session.state.get(liveSettings).current = live;
  const enforce = () => {
    permissions.renew({ isRunning: session.isRunning });
    const { hidden } = permissions;
    const searches = session.state.get(hiddenFromSearch);
    if (hidden) searches.files = hidden;
    else delete searches.files;
  };
  live.onChange((before) => {
    enforce();
    // Permissions never widen during a run, since the model may have changed the files.
    if (session.isRunning) void session.whenIdle().then(enforce);
    if (before.language === live.config.settings.language) return;
    session.useModel(session.models, { systemMessage: surround(session.model).systemMessage });
  });
}

/** Puts settings above the files of a session that is open; throws where they can't be used. */
export async function applySettings(session: InteractiveSession, settings: JsonObject): Promise<void> {
  const { current } = session.getSession().state.get(liveSettings);
  if (!current) throw new AgentError('session', 'The settings of this session cannot change.');
  await current.give(settings);
}

/** Follows the settings files of a session from now on, and tells what changes. */
export function watchSessionSettings(session: Session): void {
  const state = session.state.get(liveSettings);
  if (state.stop || !state.current) return;
  state.stop = state.current.watch((text) => session.notify({ level: 'info', text }));
}
