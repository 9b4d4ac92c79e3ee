import { AgentError, didYouMean } from '@robota-sdk/agent-core';
import { componentTitle, findComponents, readComponent, rememberApproval } from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

/** `plugin approve NAME`: shows what a component of the user asks for, and asks. */
export async function approveComponent(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const name = requiredWord(request, 'approve NAME');
  const own = findComponents(desk).components.filter(({ scope }) => scope === 'user');
  const found = own.find((each) => each.name === name);
  if (!found) {
    const names = own.map((each) => each.name);
    const hint = didYouMean(name, names) ?? '{robota}plugin list shows what there is.';
    throw new AgentError('usage', `No WebAssembly extension of yours is called "${name}". ${hint}`);
  }
  const read = await readComponent(found);
  const { asksForGrants, describeGrants } = await import('@robota-sdk/agent-plugin-wasm');
  const title = componentTitle(found.path, desk);
  if (!asksForGrants(read.manifest)) return { isOk: true, text: `${title} asks for nothing.` };
  const grants = describeGrants(read.manifest.grants);
  const isYes = await agrees(desk, request, {
    title: `May the extension ${title} do this, as long as its files stay the same?`,
    detail: grants.join('\n'),
  });
  await rememberApproval(read.seal, isYes ? 'yes' : 'no', desk.host);
  const text = isYes
    ? `${title} may now, from the next session on: ${grants.join(', ')}.`
    : `${title} may not.`;
  return { isOk: isYes, text, data: { id: name, grants, approved: isYes } };
}
