import type { HostEnvironment } from '../host/dialects.ts';
import { ruleSubject } from './settings-subjects.ts';
import { sealItem } from './trust-item.ts';
import { rememberTrust } from './trust-store.ts';

/**
 * Records allow rules as approved by the user for a project: a repository could have written them to that
 * file.
 */
export async function approveRules(
  cwd: string,
  rules: readonly string[],
  host: HostEnvironment,
): Promise<void> {
  const items = rules.map((rule) => sealItem({ ...ruleSubject(rule), source: 'your answer' }));
  await rememberTrust(cwd, { trust: await Promise.all(items), never: [] }, host);
}
