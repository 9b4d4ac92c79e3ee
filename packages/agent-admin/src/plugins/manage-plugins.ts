import { readLayers } from '@robota-sdk/agent-config';
import { AgentError, describeProblems } from '@robota-sdk/agent-core';
import {
  BundleInstaller,
  describeReport,
  disabledPlugins,
  MarketplaceClient,
  mentionedPlugins,
  type PluginStatus,
  problemLines,
} from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

/** The installers of the scopes that a request means: the one it names, or both. */
export async function installersOf(
  { scope }: Pick<PluginRequest, 'scope'>,
  desk: PluginRequestServices,
): Promise<readonly BundleInstaller[]> {
  const scopes = scope === undefined ? (['user', 'project'] as const) : [scope];
  return scopes.map((each) => new BundleInstaller({ ...desk, scope: each }));
}

/** `plugin list`: what is installed, and what is the matter with it. */
export async function listPlugins(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const installers = await installersOf(request, desk);
  const plugins = (await Promise.all(installers.map((installer) => installer.list()))).flat();
  const mentioned = await mentionedPlugins(await readLayers('settings', desk), desk);
  const lines = [...plugins.flatMap(linesOf), ...describeProblems(mentioned)];
  const empty =
    'No plugins are installed. Find some with {robota}plugin marketplace add SOURCE, then {robota}plugin search WORD.';
  return {
    isOk: true,
    text: lines.join('\n') || empty,
    data: plugins.map(({ id, version, scope, path, isEnabled, isChanged, description, problem }) => ({
      id,
      version,
      scope,
      path,
      enabled: isEnabled,
      changed: isChanged,
      description,
      ...(problem === undefined ? {} : { problem }),
    })),
  };
}

/** `plugin uninstall NAME`. */
export async function uninstallPlugin(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const reference = requiredWord(request, 'uninstall NAME');
  const { id, version } = await (await installerOf(reference, request, desk)).uninstall(reference);
  return { isOk: true, text: `Removed ${id} ${version}.`, data: { id, version } };
}

/** `plugin enable NAME`. */
export async function enablePlugin(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const reference = requiredWord(request, 'enable NAME');
  const installer = await installerOf(reference, request, desk);
  let problems: readonly string[] = [];
  const plugin = await installer.enable(reference, ({ id, report, plugin: bundle }) => {
    problems = problemLines(bundle);
    return agrees(desk, request, {
      title: `${id} has changed since you approved it: its files, or the programs it runs. Use the changed version?`,
      detail: [describeReport(report), ...problems].join('\n'),
    });
  });
  if (!plugin) return { isOk: false, text: 'It stays as it is.' };
  const isOff = (await disabledPlugins(desk)).has(plugin.id);
  const rest = isOff
    ? 'but another settings file switches it off: robota config explain enabledPlugins shows which'
    : 'from the next session on, or after /reload';
  const text = [...problems, `Enabled ${plugin.id}, ${rest}.`].join('\n');
  return { isOk: !isOff, text, data: { id: plugin.id } };
}

/** `plugin disable NAME`. */
export async function disablePlugin(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const reference = requiredWord(request, 'disable NAME');
  const { id } = await (await installerOf(reference, request, desk)).disable(reference);
  return { isOk: true, text: `Disabled ${id}, from the next session on, or after /reload.`, data: { id } };
}

/** `plugin search [WORDS] [--category NAME]`. */
export async function searchPlugins(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const text = request.words.join(' ');
  const client = new MarketplaceClient(desk);
  const { found, problems } = await client.search({ text, category: request.category });
  const lines = found.map(({ marketplace, entry }) => {
    const about = [entry.category, ...entry.keywords].filter((word) => word !== undefined).join(', ');
    const version = entry.version === undefined ? '' : ` ${entry.version}`;
    return `${entry.name}@${marketplace.name}${version}${about === '' ? '' : `  [${about}]`}\n  ${entry.description}`;
  });
  const isEmpty = (await client.list()).length === 0;
  const nothing = isEmpty
    ? 'No marketplace has been added yet. {robota}plugin marketplace list shows those that are known.'
    : 'Nothing was found.';
  return {
    isOk: true,
    text: [...describeProblems(problems), ...(lines.length === 0 ? [nothing] : lines)].join('\n'),
    data: found.map(({ marketplace, entry: { listed, source, ...entry } }) => ({
      ...entry,
      marketplace: marketplace.name,
    })),
  };
}

/** The scope that has the plugin, the user's first. */
async function installerOf(
  reference: string,
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<BundleInstaller> {
  const [first, ...others] = await installersOf(request, desk);
  if (!first) throw new AgentError('usage', 'Unknown scope.');
  for (const installer of [first, ...others]) {
    const found = await installer.find(reference).catch(() => undefined);
    if (found) return installer;
  }
  await assertNotElsewhere(reference, request, desk);
  return first;
}

/** The named scope may be the wrong one. */
async function assertNotElsewhere(
  reference: string,
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<void> {
  if (request.scope === undefined) return;
  const scope = request.scope === 'user' ? 'project' : 'user';
  const found = await new BundleInstaller({ ...desk, scope }).find(reference).catch(() => undefined);
  if (!found) return;
  const where = scope === 'project' ? 'in this project' : 'for you, in every project';
  throw new AgentError(
    'config',
    `${found.id} is installed ${where}: write --scope ${scope}, or leave --scope out.`,
  );
}

function linesOf(plugin: PluginStatus): string[] {
  const { id, version, scope, isEnabled, isChanged, description, problem } = plugin;
  const state =
    problem !== undefined ? 'broken' : isChanged ? 'changed, left out' : isEnabled ? 'enabled' : 'disabled';
  const head = `${id} ${version}  ${state}${scope === 'project' ? '  (project)' : ''}`;
  return [
    head,
    ...(description === '' ? [] : [`  ${description}`]),
    ...(problem === undefined ? [] : [`  ${problem}`]),
  ];
}
