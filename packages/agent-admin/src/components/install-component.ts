import { copyFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { robotaHome, withStaging } from '@robota-sdk/agent-config';
import {
  AgentError,
  endSentence,
  errorMessage,
  isJsonObject,
  isMissing,
  isProblem,
  makeDirectories,
} from '@robota-sdk/agent-core';
import type { PluginDescription } from '@robota-sdk/agent-resources';
import {
  componentsIn,
  describeComponent,
  type FoundComponent,
  type ReadComponent,
  readComponent,
  rememberApproval,
} from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

/** True if a request to install means a component: a file that is called so. */
export function isComponent({ words }: PluginRequest): boolean {
  return words.length === 1 && /\.wasm$/i.test(words[0] ?? '');
}

/** `plugin install FILE.wasm`: makes it ready, shows what it adds and asks for, and copies it to the user's extensions. */
export async function installComponent(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const path = resolve(
    desk.cwd,
    requiredWord(request, 'install FILE.wasm').replace(/^~(?=\/)/, desk.host.home),
  );
  if (isMissing(path)) throw new AgentError('usage', `File not found: ${path}.`);
  const name = basename(path).replace(/\.wasm$/i, '');
  const manifest = join(dirname(path), `${name}.json`);
  const read = await named(path, () => readComponent({ path, name, manifest, scope: 'user' }));
  desk.onProgress?.(`making ${name} ready to run`);
  const description = await named(path, () => describeComponent(read, desk));
  const target = join(componentHome(request, desk), `${name}.wasm`);
  const title = `${isMissing(target) ? 'Install' : 'Replace'} the WebAssembly extension ${description.name}?`;
  if (!(await agrees(desk, request, { title, detail: await detailOf(read, description) })))
    return { isOk: false, text: 'Nothing was installed.' };
  await copyInto(read, target);
  // The user has just approved its permissions.
  if (request.scope !== 'project') await rememberApproval(read.seal, 'yes', desk.host);
  const text = `Installed ${description.name} as ${target}. It takes effect in the next session, or after /reload.`;
  return { isOk: true, text, data: { id: name, kind: 'wasm', path: target, ...description } };
}

/** True if a request to uninstall means a component of the user or the project. */
export function hasComponent(request: PluginRequest, desk: PluginRequestServices): boolean {
  return request.words.length === 1 && installed(request, desk) !== undefined;
}

/** `plugin uninstall NAME`, of a component. */
export async function uninstallComponent(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const found = installed(request, desk);
  if (!found) throw new AgentError('usage', 'Unknown component.');
  await rm(found.path);
  await rm(found.manifest, { force: true });
  return { isOk: true, text: `Removed ${found.path}.`, data: { id: found.name, path: found.path } };
}

/** Makes the components of a plugin that was just installed ready, so that no session has to wait for it. */
export async function makeReady(answer: PluginAnswer, desk: PluginRequestServices): Promise<PluginAnswer> {
  const root = isJsonObject(answer.data) ? answer.data.path : undefined;
  if (!answer.isOk || typeof root !== 'string') return answer;
  const folder = { path: join(root, 'extensions'), scope: 'plugin' } as const;
  const found = componentsIn(folder).filter((each): each is FoundComponent => !isProblem(each));
  const problems: string[] = [];
  for (const each of found) {
    desk.onProgress?.(`making ${each.name} ready to run`);
    await readComponent(each)
      .then((read) => describeComponent(read, desk))
      .catch((thrown: unknown) =>
        problems.push(`${basename(each.path)} is not ready: ${endSentence(errorMessage(thrown))}`),
      );
  }
  return problems.length === 0 ? answer : { ...answer, text: [answer.text, ...problems].join('\n') };
}

function installed({ words, scope }: PluginRequest, desk: PluginRequestServices): FoundComponent | undefined {
  const scopes = scope === undefined ? (['user', 'project'] as const) : [scope];
  return scopes
    .flatMap((each) => componentsIn({ path: componentHome({ scope: each }, desk), scope: each }))
    .filter((each): each is FoundComponent => !isProblem(each))
    .find(({ name }) => name === words[0]);
}

function componentHome(
  { scope }: Pick<PluginRequest, 'scope'>,
  { cwd, host }: PluginRequestServices,
): string {
  return join(scope === 'project' ? join(cwd, '.robota') : robotaHome(host), 'extensions');
}

async function detailOf(
  { manifest }: ReadComponent,
  { tools, commands }: PluginDescription,
): Promise<string> {
  const { describeGrants } = await import('@robota-sdk/agent-plugin-wasm');
  const grants = describeGrants(manifest.grants);
  const { memoryMegabytes, seconds } = manifest.limits;
  return [
    ...tools.map(({ name, description }) => `tool ${name}: ${description}`),
    ...commands.map(({ name, description }) => `command /${name}: ${description}`),
    ...(grants.length === 0
      ? ['It uses no files, no network and no variables.']
      : grants.map((line) => `It ${line}.`)),
    `A call takes at most ${seconds} seconds and ${memoryMegabytes} MB.`,
  ].join('\n');
}

/** In one step each, the manifest first: a component is never there with the grants of another. */
async function copyInto({ found }: ReadComponent, target: string): Promise<void> {
  const folder = dirname(target);
  makeDirectories(folder, 0o700);
  await withStaging(folder, async (staging) => {
    const manifest = target.replace(/\.wasm$/, '.json');
    await copyFile(found.path, join(staging, 'component'));
    if (isMissing(found.manifest)) await rm(manifest, { force: true });
    else {
      await copyFile(found.manifest, join(staging, 'manifest'));
      await rename(join(staging, 'manifest'), manifest);
    }
    await rename(join(staging, 'component'), target);
  });
}

/** An error that says whose it is. */
async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new AgentError('config', `${path} cannot be used: ${endSentence(errorMessage(thrown))}`, {
      cause: thrown,
    });
  }
}
