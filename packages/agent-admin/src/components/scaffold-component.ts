import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withStaging } from '@robota-sdk/agent-config';
import { AgentError, makeDirectories } from '@robota-sdk/agent-core';
import { requireName } from '@robota-sdk/agent-resources';
import {
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';
import { scaffoldFiles } from './scaffold-files.ts';

/** `plugin new NAME --wasm`: a WebAssembly extension in TypeScript that builds with npm packages alone. */
export async function scaffoldComponent(
  request: PluginRequest,
  { cwd }: PluginRequestServices,
): Promise<PluginAnswer> {
  const name = requireName(requiredWord(request, 'new NAME --wasm'), 'plugin');
  const target = join(cwd, name);
  if (existsSync(target)) throw new AgentError('usage', `${target} already exists; nothing was written.`);
  const { pluginWit, witVersion } = await import('@robota-sdk/agent-plugin-wasm');
  const files = scaffoldFiles({ name, wit: pluginWit, witVersion });
  await withStaging(cwd, async (staging) => {
    const folder = join(staging, name);
    for (const [path, text] of Object.entries(files)) {
      makeDirectories(dirname(join(folder, path)));
      await writeFile(join(folder, path), text);
    }
    await rename(folder, target);
  });
  const next = [`cd ${name}`, 'npm install', 'npm run build', `{robota}plugin install dist/${name}.wasm`];
  return {
    isOk: true,
    text: `Made the WebAssembly extension ${name} in ${target}. Then:\n  ${next.join('\n  ')}`,
    data: { path: target, files: Object.keys(files) },
  };
}
