import { readProjectFile } from '@robota-sdk/agent-config';
import { errorMessage, isMissing } from '@robota-sdk/agent-core';
import type { FoundComponent } from './find-components.ts';

/** The permissions of a component, one line each; an unreadable manifest is reported as such. */
export async function grantLines({
  manifest,
  root,
}: Pick<FoundComponent, 'manifest' | 'root'>): Promise<string[]> {
  if (isMissing(manifest)) return [];
  const { describeGrants, parsePluginManifest } = await import('@robota-sdk/agent-plugin-wasm');
  try {
    return describeGrants(parsePluginManifest(readProjectFile(manifest, root)).grants);
  } catch (thrown) {
    return [`has a manifest that cannot be used: ${errorMessage(thrown)}`];
  }
}
