import type { Model } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { hiddenFromSearch } from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { ModelContext } from '../prompt/model-context-of.ts';

interface SettingsTargets {
  readonly options: CreateSessionOptions;
  readonly permissions: SessionPermissions;
  surround(model: Model): ModelContext;
}

/** Applies changed settings to a running session. */
export function followSettings(
  session: Conversation,
  { options, permissions, surround }: SettingsTargets,
): void {
  const { live } = options;
  if (!live) return;
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
