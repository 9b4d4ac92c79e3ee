import type { SettingsContext, SettingsLayer, TrustGate } from '@robota-sdk/agent-config';
import { hookSubject, parseHooks } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { extensionDraft } from '../extensions/extension-drafts.ts';
import { packagesIn } from '../extensions/extension-packages.ts';
import { findExtensions } from '../extensions/find-extensions.ts';
import type { FoundPlugins } from '../plugins/load-plugins.ts';

/** Gates for the project settings that are checked only at use. */
export interface TrustedSources {
  readonly gate: TrustGate;
  /** The extension packages in force. */
  readonly packages: ReadonlySet<string>;
  /** The plugins in force. */
  readonly plugins: ReadonlySet<string>;
}

/** Finds the packages and plugins of settings that are in force. Runs nothing. */
export async function trustedSources(
  place: SettingsContext,
  layers: readonly SettingsLayer[],
  { gate, plugins }: { readonly gate: TrustGate; readonly plugins: FoundPlugins },
): Promise<TrustedSources> {
  const { extensions } = await findExtensions(place, packagesIn(layers));
  const named = extensions.filter(({ packageName }) => packageName !== undefined);
  const judged = await Promise.all(
    named.map(async (found) => {
      const isTrusted = found.scope !== 'project' || gate.allows(await extensionDraft(found, place.cwd));
      return isTrusted ? [found.packageName ?? ''] : [];
    }),
  );
  return {
    gate,
    packages: new Set(judged.flat()),
    plugins: new Set(plugins.settle(gate).map(({ id }) => id)),
  };
}

/** The settings of a project without hooks, extensions and plugins that are not in force. */
export function narrowToTrusted(layer: SettingsLayer, parts: TrustedSources): SettingsLayer {
  if (!layer.fromProject) return layer;
  const { hooks, extensions, enabledPlugins, ...rest } = layer.value;
  return {
    ...layer,
    value: {
      ...rest,
      ...(isJsonObject(hooks) ? filled('hooks', trustedHooks(hooks, layer.source, parts.gate)) : {}),
      ...(Array.isArray(extensions)
        ? { extensions: extensions.filter((name) => parts.packages.has(String(name))) }
        : {}),
      ...(isJsonObject(enabledPlugins)
        ? filled('enabledPlugins', pluginsInForce(enabledPlugins, parts.plugins))
        : {}),
    },
  };
}

function trustedHooks(hooks: JsonObject, source: string, gate: TrustGate): JsonObject {
  const kept = Object.entries(hooks).filter(([event, groups]) => {
    const parsed = parseHooks({ [event]: groups }, { source, problems: [] });
    return parsed.every((group) => group.hooks.every((hook) => gate.allows(hookSubject(group, hook))));
  });
  return Object.fromEntries(kept);
}

/** Disabling in any place disables it. */
function pluginsInForce(enabled: JsonObject, inForce: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(enabled).filter(([id, on]) => on === false || inForce.has(id)));
}

function filled(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}
