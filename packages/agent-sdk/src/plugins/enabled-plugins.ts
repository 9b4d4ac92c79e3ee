import { AgentError, isJsonObject, isWithin, realPathOf } from '@robota-sdk/agent-core';
import { atomicWrite } from '@robota-sdk/agent-tools';
import { readJsonFile } from '../config/read-json.ts';
import { readLayers } from '../config/read-layers.ts';
import { updatePrivateFile } from '../config/update-private-file.ts';
import { projectPaths, userPaths } from '../paths.ts';
import type { PluginPlace, PluginScope } from './plugin-paths.ts';

/** The plugins that some settings file around a directory switches off: a no counts wherever it stands. */
export async function disabledPlugins(place: PluginPlace): Promise<ReadonlySet<string>> {
  const layers = await readLayers('settings', place);
  return new Set(
    layers.flatMap(({ value }) =>
      isJsonObject(value.enabledPlugins)
        ? Object.entries(value.enabledPlugins).flatMap(([id, isOn]) => (isOn === false ? [id] : []))
        : [],
    ),
  );
}

/** Writes into the settings of a scope whether a plugin is on; without a value its entry is taken out. Comments stay. */
export async function setEnabled(
  id: string,
  isOn: boolean | undefined,
  { scope, ...place }: PluginPlace & { readonly scope: PluginScope },
): Promise<void> {
  const path = scope === 'user' ? userPaths(place.host).settings : projectPaths(place.cwd).settings;
  const before = (await readJsonFile(path))?.text;
  const known = before === undefined ? {} : ((await readJsonFile(path))?.value.enabledPlugins ?? {});
  const isKnown = isJsonObject(known) && Object.hasOwn(known, id);
  if (isOn === undefined && !isKnown) return;
  const change = async (text = '{}\n') => {
    const { applyEdits, modify } = await import('jsonc-parser');
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    return applyEdits(text, modify(text, ['enabledPlugins', id], isOn, { formattingOptions }));
  };
  if (scope === 'user') return updatePrivateFile(path, change);
  const target = realPathOf(path);
  if (!isWithin(realPathOf(place.cwd), target))
    throw new AgentError(
      'config',
      `${path} leads out of the project, to ${target}, so nothing is saved there.`,
    );
  await atomicWrite(target, Buffer.from(await change(before)));
}
