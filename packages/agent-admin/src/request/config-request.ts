import {
  parseKey,
  readOptions,
  type SettingEdit,
  type SettingsScope,
  settingsScopes,
  takeSubcommand,
} from '@robota-sdk/agent-config';
import { AgentError, type CommandSurface, type KeyPath } from '@robota-sdk/agent-core';
import { configRow, requestOptions } from './admin-rows.ts';

/** A request about the settings. */
export type ConfigRequest =
  | { readonly verb: 'list' | 'path'; readonly json: boolean }
  | { readonly verb: 'schema'; readonly name: string; readonly json: boolean }
  | { readonly verb: 'edit'; readonly scope: SettingsScope; readonly json: boolean }
  | { readonly verb: 'get' | 'explain'; readonly path: KeyPath; readonly json: boolean }
  | { readonly verb: 'edit-setting'; readonly edit: SettingEdit; readonly json: boolean };

/** Reads the words behind `/config` or `robota config`. */
export function parseConfigWords(given: readonly string[], surface: CommandSurface = 'shell'): ConfigRequest {
  const options = readOptions(given, requestOptions(configRow), {
    isLongOnly: true,
    advice: 'Put a value that starts with -- after --.',
  });
  const scope = options.has('scope') ? parseScope(options.value('scope')) : undefined;
  const [add, json] = [options.has('add'), options.has('json')];
  const { name: verb, words } = takeSubcommand(configRow, options.words, surface);
  const [key, ...rest] = words;
  if (add && verb !== 'set') throw new AgentError('usage', `--add belongs to "set", not to "${verb}".`);
  if (scope !== undefined && !['set', 'unset', 'edit'].includes(verb))
    throw new AgentError('usage', `--scope belongs to "set", "unset" and "edit", not to "${verb}".`);
  if (verb === 'schema' && rest.length === 0) return { verb, name: key ?? 'settings', json };
  if (verb === 'list' || verb === 'path' || verb === 'edit') {
    if (key !== undefined) throw new AgentError('usage', `"${verb}" takes no "${key}".`);
    return verb === 'edit' ? { verb, scope: scope ?? 'user', json } : { verb, json };
  }
  if (key === undefined)
    throw new AgentError('usage', `Missing setting. For example: ${verb} permissions.defaultMode`);
  const path = parseKey(key);
  if (verb === 'set') {
    if (rest.length === 0)
      throw new AgentError('usage', `Missing value for "${key}". To remove the setting, use: unset ${key}`);
    const edit = { path, scope: scope ?? 'user', action: add ? 'add' : 'set', text: rest.join(' ') } as const;
    return { verb: 'edit-setting', edit, json };
  }
  if (rest.length > 0) throw new AgentError('usage', `"${verb}" takes one setting, not "${rest.join(' ')}".`);
  if (verb === 'unset')
    return { verb: 'edit-setting', edit: { path, scope: scope ?? 'user', action: 'unset' }, json };
  return { verb: verb === 'get' ? 'get' : 'explain', path, json };
}

/** A scope by its name. */
export function parseScope(text: string | undefined): SettingsScope {
  const scope = settingsScopes.find((known) => known === text);
  if (scope !== undefined) return scope;
  const advice = 'Only our own files are written; other tools have their own commands.';
  throw new AgentError(
    'usage',
    `--scope is one of ${settingsScopes.join(', ')}, not "${text ?? ''}". ${advice}`,
  );
}
