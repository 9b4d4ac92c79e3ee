import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AgentError, findProgram, helperEnvironment, makeDirectories } from '@robota-sdk/agent-core';
import { toolchainFolder } from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
} from '../request/plugin-request.ts';

/** `plugin toolchain`: installs what makes components ready, where it is not there yet. */
export async function installToolchain(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const { findToolchain, toolchainPackage } = await import('@robota-sdk/agent-plugin-wasm');
  const folder = toolchainFolder(desk.host);
  const known = findToolchain(folder);
  if (known !== undefined)
    return { isOk: true, text: `The toolchain is installed: ${known}`, data: { path: known } };
  const wanted = `${toolchainPackage.name}@${toolchainPackage.version}`;
  const isYes = await agrees(desk, request, {
    title: `Install ${wanted} for making WebAssembly extensions ready?`,
    detail: `npm puts it into ${folder}, about 300 MB, and runs none of its scripts. Running extensions does not need it.`,
  });
  if (!isYes) return { isOk: false, text: 'Nothing was installed.' };
  desk.onProgress?.(`npm installs ${wanted}`);
  makeDirectories(folder, 0o700);
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n', { mode: 0o600 });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--omit=dev'];
  try {
    const npm = findProgram('npm');
    if (npm === undefined) throw new Error('npm is not installed.');
    const env = helperEnvironment();
    await promisify(execFile)(npm, ['install', ...options, wanted], {
      cwd: folder,
      env,
      signal: desk.signal,
    });
  } catch (thrown) {
    const { stderr = '', message } = thrown as { readonly stderr?: string; readonly message: string };
    const words = stderr.trim().split('\n').slice(-3).join('\n') || message;
    throw new AgentError('config', `npm could not install ${wanted}: ${words}`, { cause: thrown });
  }
  const found = findToolchain(folder);
  if (found === undefined)
    throw new AgentError('config', `npm succeeded, but ${wanted} is not in ${folder}.`);
  return { isOk: true, text: `Installed ${wanted} in ${folder}.`, data: { path: found } };
}
