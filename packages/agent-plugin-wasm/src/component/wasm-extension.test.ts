import type { Command, ExtensionHost } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';
import type { PluginDescription } from './describe-plugin.ts';
import { PluginError, type PluginInstance } from './plugin-instance.ts';
import { wasmExtension } from './wasm-extension.ts';

it('names the plugin whose command says that something is wrong', async () => {
  const description = { name: 'eater', tools: [], commands: [{ name: 'eat', description: 'Eats' }] };
  const instance = { call: () => Promise.reject(new PluginError('out of memory')) };
  const commands: Command<unknown>[] = [];
  const host = { command: (command: Command<unknown>) => void commands.push(command) };
  await wasmExtension({
    description: description as unknown as PluginDescription,
    instance: instance as unknown as PluginInstance,
  }).setup(host as unknown as ExtensionHost<unknown>);
  const signal = new AbortController().signal;
  expect(await commands[0]?.run('', { signal } as never)).toEqual({
    kind: 'error',
    text: 'The plugin "eater" says: out of memory',
  });
});
