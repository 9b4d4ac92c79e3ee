import { errorMessage } from '@robota-sdk/agent-core';
import {
  ComponentCache,
  componentTitle,
  type FoundComponent,
  findComponents,
  readApproval,
  readComponent,
} from '@robota-sdk/agent-resources';
import type { PluginAnswer, PluginRequest, PluginRequestServices } from '../request/plugin-request.ts';

/** The output of `plugin list`, with the WebAssembly components in extension folders. */
export async function withComponents(
  answer: PluginAnswer,
  { scope }: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const found = findComponents(desk).components.filter((each) => scope === undefined || each.scope === scope);
  if (found.length === 0) return answer;
  const listed = await Promise.all(found.map((each) => listComponent(each, desk)));
  const plugins = (answer.data ?? []) as readonly unknown[];
  const lines = listed.map(({ text }) => text);
  return {
    ...answer,
    text: [...(plugins.length === 0 ? [] : [answer.text]), ...lines].join('\n'),
    data: [...plugins, ...listed.map(({ data }) => data)],
  };
}

async function listComponent(found: FoundComponent, desk: PluginRequestServices) {
  const title = componentTitle(found.path, desk);
  const base = { id: found.name, kind: 'wasm', scope: found.scope, path: found.path };
  const where = found.scope === 'project' ? '  (project)' : '';
  try {
    const read = await readComponent(found);
    const { asksForGrants, describeGrants } = await import('@robota-sdk/agent-plugin-wasm');
    const description = await new ComponentCache(desk.host).description(read.hash, read.seal);
    const grants = describeGrants(read.manifest.grants);
    const isOpen = found.scope === 'user' && asksForGrants(read.manifest);
    const approval = isOpen ? ((await readApproval(read.seal, desk.host)) ?? 'not asked') : undefined;
    const tools = description?.tools.map(({ name }) => name) ?? [];
    const commands = description?.commands.map(({ name }) => `/${name}`) ?? [];
    const state = description ? 'WebAssembly, ready' : 'WebAssembly, made ready when it is first used';
    const parts = [
      [...tools, ...commands].join(', '),
      grants.length === 0
        ? ''
        : `${grants.join(', ')}${approval === undefined || approval === 'yes' ? '' : ' (not approved)'}`,
    ].filter((part) => part !== '');
    return {
      text: [`${found.name}  ${state}${where}  ${title}`, ...parts.map((part) => `  ${part}`)].join('\n'),
      data: {
        ...base,
        ready: description !== undefined,
        tools,
        commands,
        grants,
        ...(approval === undefined ? {} : { approval }),
      },
    };
  } catch (thrown) {
    const problem = errorMessage(thrown);
    return { text: `${found.name}  broken${where}  ${title}\n  ${problem}`, data: { ...base, problem } };
  }
}
