import { isJsonObject } from '@robota-sdk/agent-core';
import type { ManifestSource } from './parse-manifest.ts';
import type { PluginProblem } from './plugin-problem.ts';

/** A plugin that is being read. */
export interface Bundle {
  readonly root: string;
  /** The manifest, together with what a marketplace adds to it. */
  readonly source: ManifestSource;
  readonly problems: PluginProblem[];
  /** Components are also looked for where they usually are. */
  readonly usesUsualPlaces: boolean;
}

/** True if a feature was switched off by the manifest. */
export function isOff({ source }: Bundle, feature: string): boolean {
  const { features } = source.value;
  return isJsonObject(features) && features[feature] === false;
}
