import { hookLabel, type InteractiveSession, type JsonObject } from '@robota-sdk/agent-sdk/front-end';
import { settingsSource } from './control-subject.ts';

/** The hooks of the settings that are in force, each with the file it stands in. */
export function hooksListing(session: InteractiveSession): JsonObject {
  const config = session.live?.config;
  const isOff = config?.areHooksOff === true;
  const hooks = (config?.hooks ?? []).flatMap(({ event, matcher, source, hooks: own }) =>
    own.map((hook) => {
      const text = session.redact(hookLabel(hook));
      return {
        event,
        matcher,
        source: settingsSource(source, session.place.cwd),
        sourceLabel: source,
        type: hook.type,
        displayText: text,
        commandText: text,
        contentLabel: hook.type,
        ...(typeof hook.if === 'string' ? { condition: hook.if } : {}),
        ...(typeof hook.timeout === 'number' ? { timeout: hook.timeout } : {}),
        ...(isOff ? { disabled: true } : {}),
      };
    }),
  );
  const names = [...new Set(hooks.map(({ event }) => event))];
  return {
    events: names.map((name) => ({
      name,
      summary: '',
      supportsMatcher: true,
      hookCount: hooks.filter(({ event }) => event === name).length,
    })),
    hooks,
    eventCatalog: names.map((name) => ({ name, summary: '', supportsMatcher: true })),
    policy: {
      disabledByPolicy: false,
      managedOnly: false,
      pluginOnly: false,
      allDisabled: isOff,
      policyHookCount: 0,
    },
  };
}
