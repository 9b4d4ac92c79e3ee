import type { ManifestFields, ManifestSource } from './parse-manifest.ts';
import type { PluginProblem } from './plugin-problem.ts';

/** A plugin that is being read. */
export interface Bundle {
  readonly root: string;
  /** The file of the manifest. */
  readonly source: ManifestSource;
  /** The manifest, merged with the marketplace's fields. */
  readonly fields: ManifestFields;
  readonly problems: PluginProblem[];
  /** True if components are also searched in default folders. */
  readonly usesUsualPlaces: boolean;
}

/** True if a feature was switched off by the manifest. */
export function isOff({ fields }: Bundle, feature: string): boolean {
  return fields.features?.[feature] === false;
}
