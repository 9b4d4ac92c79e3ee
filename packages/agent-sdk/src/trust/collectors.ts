import { commandDrafts } from '../command-files/command-drafts.ts';
import { extensionDrafts } from '../extensions/extension-drafts.ts';
import { skillDrafts } from '../skills/skill-drafts.ts';
import { agentDrafts } from '../subagents/agent-drafts.ts';
import { componentDrafts } from '../wasm/component-drafts.ts';
import { settingsDrafts } from './settings-subjects.ts';
import type { ProjectSource, TrustCollector } from './trust-collector.ts';
import type { TrustDraft } from './trust-item.ts';

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
