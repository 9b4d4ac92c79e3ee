import { commandDrafts } from '../command-files/command-drafts.ts';
import type { SettingsLayer } from '../config/settings.ts';
import type { HostEnvironment } from '../dialects.ts';
import { extensionDrafts } from '../extensions/extension-drafts.ts';
import { skillDrafts } from '../skills/skill-drafts.ts';
import { agentDrafts } from '../subagents/agent-drafts.ts';
import { componentDrafts } from '../wasm/component-drafts.ts';
import { settingsDrafts } from './settings-subjects.ts';
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

/** Every built-in collector; what none of them finds never runs. */
const collectors: readonly TrustCollector[] = [
  ({ layers, cwd }) => layers.flatMap((layer) => settingsDrafts(layer, cwd)),
  skillDrafts,
  commandDrafts,
  extensionDrafts,
  componentDrafts,
  agentDrafts,
];

/** Asks all collectors, and `more`. */
export async function collectDrafts(
  project: ProjectSource,
  more: readonly TrustCollector[] = [],
): Promise<readonly TrustDraft[]> {
  const found = await Promise.all([...collectors, ...more].map((collect) => collect(project)));
  return found.flat();
}
