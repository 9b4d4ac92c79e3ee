import type { PluginEnvironment } from './plugin-paths.ts';

/** The services that plugin commands need. */
export interface PluginContext extends PluginEnvironment {
  readonly signal?: AbortSignal | undefined;
  /** Receives progress messages, one step at a time. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** The part of it that fetching needs. */
export function fetchContext({ host, signal, onProgress = () => {} }: PluginContext) {
  return { env: host.env, signal, onProgress };
}
