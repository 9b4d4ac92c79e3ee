import type { ProjectSource, TrustCollector, TrustDraft } from '@robota-sdk/agent-config';
import { settingsDrafts } from '@robota-sdk/agent-config';
import { agentDrafts } from '../agents/agent-drafts.ts';
import { commandDrafts } from '../command-files/command-drafts.ts';
import { extensionDrafts } from '../extensions/extension-drafts.ts';
import { skillDrafts } from '../skills/skill-drafts.ts';
import { componentDrafts } from '../wasm/component-drafts.ts';

/** All built-in collectors; anything they do not find never runs. */
const collectors: readonly TrustCollector[] = [
  ({ layers, cwd }) => layers.flatMap((layer) => settingsDrafts(layer, cwd)),
  skillDrafts,
  commandDrafts,
  extensionDrafts,
  componentDrafts,
  agentDrafts,
];

/** Runs all collectors, and `more`. */
export async function collectDrafts(
  project: ProjectSource,
  more: readonly TrustCollector[] = [],
): Promise<readonly TrustDraft[]> {
  const found = await Promise.all([...collectors, ...more].map((collect) => collect(project)));
  return found.flat();
}
