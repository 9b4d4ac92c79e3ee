import type { HostEnvironment } from '../host/dialects.ts';
import type { SettingsLayer } from '../options/settings.ts';
import type { TrustDraft } from './trust-item.ts';
/** A project as collectors see it. */
export interface ProjectSource {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** The settings files of the project, without what a project can never set. */
  readonly layers: readonly SettingsLayer[];
}

/** Finds what a repository supplies of some kind; runs none of it. */
export type TrustCollector = (
  project: ProjectSource,
) => readonly TrustDraft[] | Promise<readonly TrustDraft[]>;
