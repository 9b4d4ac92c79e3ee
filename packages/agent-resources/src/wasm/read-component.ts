import { createHash } from 'node:crypto';
import { readProjectFile } from '@robota-sdk/agent-config';
import { errorMessage, isMissing, readRegularFile } from '@robota-sdk/agent-core';
import type { FoundComponent } from './find-components.ts';
import type { PluginManifest } from './plugin-types.ts';

/** A component as its files are now. */
export interface ReadComponent {
  readonly found: FoundComponent;
  readonly bytes: Uint8Array;
  /** Of the component alone. */
  readonly hash: string;
  /** The hash of the component and its manifest, which an approval covers. */
  readonly seal: string;
  readonly manifest: PluginManifest;
}

/** Reads a component and its manifest. Throws if one of them is invalid. */
export async function readComponent(found: FoundComponent): Promise<ReadComponent> {
  const { componentProblem, maxComponentBytes, emptyManifest, parsePluginManifest } = await import(
    '@robota-sdk/agent-plugin-wasm'
  );
  const bytes = await readRegularFile(found.path, { largest: maxComponentBytes });
  const problem = componentProblem(bytes);
  if (problem !== undefined) throw new Error(problem);
  const text = isMissing(found.manifest) ? '' : readProjectFile(found.manifest, found.root);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const seal = createHash('sha256')
    .update(JSON.stringify([hash, text]))
    .digest('hex');
  try {
    return { found, bytes, hash, seal, manifest: text === '' ? emptyManifest : parsePluginManifest(text) };
  } catch (thrown) {
    throw new Error(`its manifest ${found.manifest} cannot be used: ${errorMessage(thrown)}`);
  }
}
