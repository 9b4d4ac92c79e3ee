import { takeSubcommand } from '@robota-sdk/agent-config';
import { AgentError } from '@robota-sdk/agent-core';
import { pluginRow } from '../request/admin-rows.ts';
import { namingCommands } from '../request/name-commands.ts';
import {
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  readRequest,
} from '../request/plugin-request.ts';

type Verb = (request: PluginRequest, desk: PluginRequestServices) => Promise<PluginAnswer>;

const verbs: Readonly<Record<string, Verb>> = {
  list: async (...given) => {
    const plugins = await (await import('./manage-plugins.ts')).listPlugins(...given);
    return (await import('../components/list-components.ts')).withComponents(plugins, ...given);
  },
  install: async (...given) => {
    const { installComponent, isComponent, makeReady } = await import('../components/install-component.ts');
    if (isComponent(given[0])) return installComponent(...given);
    return makeReady(await (await import('./install-plugins.ts')).installPlugin(...given), given[1]);
  },
  uninstall: async (...given) => {
    const { hasComponent, uninstallComponent } = await import('../components/install-component.ts');
    if (hasComponent(...given)) return uninstallComponent(...given);
    return (await import('./manage-plugins.ts')).uninstallPlugin(...given);
  },
  enable: async (...given) => (await import('./manage-plugins.ts')).enablePlugin(...given),
  disable: async (...given) => (await import('./manage-plugins.ts')).disablePlugin(...given),
  update: async (...given) => (await import('./install-plugins.ts')).updatePlugins(...given),
  search: async (...given) => (await import('./manage-plugins.ts')).searchPlugins(...given),
  marketplace: async (...given) => (await import('./manage-marketplaces.ts')).marketplaceRequest(...given),
  validate: async (...given) => (await import('./validate-plugin.ts')).validatePlugin(...given),
  new: async (...given) => {
    if (given[0].wasm)
      return (await import('../components/scaffold-component.ts')).scaffoldComponent(...given);
    return (await import('./scaffold-plugin.ts')).scaffoldPlugin(...given);
  },
  approve: async (...given) =>
    (await import('../components/approve-component.ts')).approveComponent(...given),
  toolchain: async (...given) =>
    (await import('../components/install-toolchain.ts')).installToolchain(...given),
};

/** Does what `/plugin …` and `robota plugin …` ask for. */
export function runPluginRequest(
  given: readonly string[],
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  return namingCommands(desk.prefix ?? 'robota ', () => answerTo(given, desk));
}

async function answerTo(given: readonly string[], desk: PluginRequestServices): Promise<PluginAnswer> {
  const { name, words } = takeSubcommand(pluginRow, given, 'shell');
  const run = verbs[name];
  if (!run) throw new AgentError('usage', `plugin ${name} is not available.`);
  return run(readRequest(words), desk);
}
