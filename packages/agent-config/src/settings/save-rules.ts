import { AgentError, isWithin, type RuleOrigin, realPathOf } from '@robota-sdk/agent-core';
import { lineOfString, readJsonFile } from '../file/read-json.ts';
import { updateProjectFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { projectPaths } from '../host/paths.ts';
import { approveRules } from '../trust/approve-rules.ts';
import { ignoreLocalSettings } from './ignore-local-settings.ts';

/**
 * Adds allow rules to the project's local settings, where comments stay, and notes that the user gave them. Tells where
 * each rule stands.
 */
export async function saveProjectRules(
  cwd: string,
  rules: readonly string[],
  host: HostEnvironment,
): Promise<ReadonlyMap<string, RuleOrigin>> {
  const path = projectPaths(cwd).localSettings;
  const known = (await readJsonFile(path))?.text ?? '{}\n';
  if ((await withRules(known, rules)) !== known)
    await updateProjectFile(targetIn(cwd, path), (before = '{}\n') => withRules(before, rules));
  await ignoreLocalSettings(cwd);
  await approveRules(cwd, rules, host);
  const saved = (await readJsonFile(path))?.text ?? '';
  return new Map(rules.map((rule) => [rule, originOf(rule, path, saved)]));
}

function originOf(rule: string, source: string, text: string): RuleOrigin {
  const line = lineOfString(text, rule, 'allow');
  return line === undefined ? { source } : { source, line };
}

/** A repository may bring a link in place of the file or its folder: rules for it must not land anywhere else. */
function targetIn(cwd: string, path: string): string {
  const target = realPathOf(path);
  if (isWithin(realPathOf(cwd), target)) return target;
  const advice = 'Remove the link, or write the rule into the file you mean.';
  throw new AgentError(
    'config',
    `${path} leads out of the project, to ${target}, so nothing is saved there. ${advice}`,
  );
}

async function withRules(text: string, rules: readonly string[]): Promise<string> {
  const { applyEdits, modify, parse } = await import('jsonc-parser');
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return rules.reduce((current, rule) => {
    const known: unknown = parse(current)?.permissions?.allow;
    if (!Array.isArray(known))
      return applyEdits(current, modify(current, ['permissions', 'allow'], [rule], { formattingOptions }));
    if (known.includes(rule)) return current;
    const target = ['permissions', 'allow', known.length];
    return applyEdits(current, modify(current, target, rule, { formattingOptions, isArrayInsertion: true }));
  }, text);
}
