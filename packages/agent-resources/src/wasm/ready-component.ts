import { join } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { AgentError, errorMessage, robotaDirectories } from '@robota-sdk/agent-core';
import { ComponentCache } from './component-cache.ts';
import type { TranspiledComponent } from './plugin-types.ts';

export interface ReadyOptions {
  readonly host: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
  /** Called if it must be transpiled, which takes some seconds. */
  readonly onMake?: (() => void) | undefined;
}

/** The folder of the toolchain that transpiles components. */
export function toolchainFolder(host: HostEnvironment): string {
  return join(robotaDirectories(host).data, 'toolchain');
}

/** A component that is ready to run: cached, otherwise transpiled now. */
export async function readyComponent(
  { hash, bytes }: { readonly hash: string; readonly bytes: Uint8Array },
  { host, signal, onMake }: ReadyOptions,
): Promise<TranspiledComponent> {
  const cache = new ComponentCache(host);
  const kept = await cache.read(hash);
  if (kept) return kept;
  const { exportsProblem, findToolchain, transpileComponent } = await import('@robota-sdk/agent-plugin-wasm');
  const toolchain = findToolchain(toolchainFolder(host));
  if (toolchain === undefined)
    throw new AgentError(
      'config',
      'it has to be made ready once, and the toolchain for that is not installed: run robota plugin toolchain',
    );
  onMake?.();
  const made = await transpileComponent({ toolchain, component: bytes }, signal).catch((thrown: unknown) => {
    throw new Error(`it cannot be made ready: ${errorMessage(thrown)}`);
  });
  const problem = exportsProblem(made.exports);
  if (problem !== undefined) throw new Error(problem);
  await cache.write(hash, made);
  return made;
}
