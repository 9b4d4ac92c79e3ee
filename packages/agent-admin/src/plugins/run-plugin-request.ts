import { AgentError, nearest } from '@robota-sdk/agent-core';
import {
  type PluginAnswer,
  type PluginDesk,
  type PluginRequest,
  readRequest,
} from '../request/plugin-request.ts';

type Verb = (request: PluginRequest, desk: PluginDesk) => Promise<PluginAnswer>;

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

/** The verbs of `/plugin` and `robota plugin`. */
export const pluginVerbs: readonly string[] = Object.keys(verbs);

const otherNames: Readonly<Record<string, string>> = {
  remove: 'uninstall',
  rm: 'uninstall',
  i: 'install',
  ls: 'list',
};

/** Does what `/plugin …` and `robota plugin …` ask for; both are this. */
export async function runPluginRequest(given: readonly string[], desk: PluginDesk): Promise<PluginAnswer> {
  const [first = 'list', ...rest] = given[0]?.startsWith('-') ? ['list', ...given] : given;
  const verb = Object.hasOwn(otherNames, first) ? (otherNames[first] ?? first) : first;
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (run) return run(readRequest(rest), desk);
  const [near] = nearest(verb, pluginVerbs);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new AgentError('usage', `There is no plugin ${verb}; there is ${pluginVerbs.join(', ')}.${hint}`);
}
