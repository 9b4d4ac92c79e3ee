import { hostShape } from '@robota-sdk/agent-config';
import { abortSignal, callback, having, optional, pathShape } from '@robota-sdk/agent-core';
import type { PluginEnvironment } from './plugin-paths.ts';

/** The services that plugin commands need. */
export interface PluginContext extends PluginEnvironment {
  readonly signal?: AbortSignal | undefined;
  /** Receives progress messages, one step at a time. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** The shape of the context that a program gives. */
export const pluginContextFields = {
  cwd: pathShape,
  host: hostShape,
  signal: optional(abortSignal),
  onProgress: optional(callback),
};
export const pluginContext = having(pluginContextFields);

/** The part of it that fetching needs. */
export function fetchContext({ host, signal, onProgress = () => {} }: PluginContext) {
  return { env: host.env, signal, onProgress };
}
