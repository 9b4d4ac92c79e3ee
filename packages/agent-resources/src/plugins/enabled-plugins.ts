import { type JsonFile, readJsonFile, readLayers } from '@robota-sdk/agent-config';
import { flag, isJsonObject, record } from '@robota-sdk/agent-core';
import type { PluginScope } from '../source/plugin-scope.ts';
import type { PluginEnvironment } from './plugin-paths.ts';

/** The plugins that any settings file around a directory disables, or only files of the user. */
export async function disabledPlugins(
  place: PluginEnvironment,
  by: 'anyone' | 'user' = 'anyone',
): Promise<ReadonlySet<string>> {
  const layers = await readLayers('settings', place, []);
  return new Set(
    layers.flatMap(({ value, fromProject }) => {
      if (fromProject && by === 'user') return [];
      const plugins = record(flag).parse(value.enabledPlugins) ?? {};
      return Object.keys(plugins).filter((id) => plugins[id] === false);
    }),
  );
}

/** Enables or disables a plugin in the settings of a scope; without a value its entry is removed. Comments stay. */
export async function setEnabled(
  id: string,
  isOn: boolean | undefined,
  { scope, ...place }: PluginEnvironment & { readonly scope: PluginScope },
): Promise<void> {
  const { editSetting, scopeFile } = await import('@robota-sdk/agent-config');
  const path = ['enabledPlugins', id];
  if (isOn !== undefined) await editSetting({ path, scope, action: 'set', text: String(isOn) }, place);
  else if (isNamed(id, await readJsonFile(scopeFile(scope, place))))
    await editSetting({ path, scope, action: 'unset' }, place);
}

function isNamed(id: string, file: JsonFile | undefined): boolean {
  const plugins = file?.value.enabledPlugins;
  return isJsonObject(plugins) && Object.hasOwn(plugins, id);
}
