import { ComponentCache } from './component-cache.ts';
import type { PluginDescription } from './plugin-types.ts';
import type { ReadComponent } from './read-component.ts';
import { type ReadyOptions, readyComponent } from './ready-component.ts';

/**
 * The self-description of a component: cached, or asked now after its self-test. It runs without permissions,
 * since none may be approved yet.
 */
export async function describeComponent(
  read: ReadComponent,
  options: ReadyOptions,
): Promise<PluginDescription> {
  const cache = new ComponentCache(options.host);
  const known = await cache.description(read.hash, read.seal);
  if (known) return known;
  const { describePlugin, emptyManifest, HostServices, hasSelfTest, PluginInstance } = await import(
    '@robota-sdk/agent-plugin-wasm'
  );
  const ready = await readyComponent(read, options);
  const { limits, config } = read.manifest;
  const services = new HostServices({ grants: emptyManifest.grants, config, cwd: '/', home: '/', env: {} });
  const instance = new PluginInstance({ load: async () => ready, limits, services });
  try {
    const selfTest = hasSelfTest(ready.exports);
    const description = await describePlugin(instance, { selfTest, signal: options.signal });
    await cache.describe(read.hash, read.seal, description);
    return description;
  } finally {
    instance.dispose();
  }
}
