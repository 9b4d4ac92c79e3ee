import {
  AgentError,
  addSentence,
  isJsonObject,
  isLostGuard,
  type PermissionRules,
  type Problem,
  parseRules,
  type Rule,
  type RuleOrigin,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { lineOfString } from '../file/read-json.ts';
import { type SettingsLayer, substituteText, unsetReference } from '../options/settings.ts';
import { closedProblem } from './closed-layer.ts';

interface Joining {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly problems: Problem[];
  /** An invalid rule of a project is an error, too; otherwise every call needs approval. */
  readonly refuseBroken: boolean;
}

/** Joins the rules of all layers: a deny that got lost would fail open. */
export function joinRules(layers: readonly SettingsLayer[], joining: Joining): PermissionRules {
  const unread: Rule[] = [];
  const collect = (list: keyof PermissionRules): Rule[] =>
    layers.flatMap((layer) =>
      textsOf(layer, list).flatMap((text) => rulesOf({ text, list }, layer, { ...joining, unread })),
    );
  const [allow, ask, deny] = [collect('allow'), collect('ask'), collect('deny')];
  return { allow, ask: [...ask, ...unread], deny };
}

function textsOf({ value }: SettingsLayer, list: keyof PermissionRules): string[] {
  const rules = isJsonObject(value.permissions) ? value.permissions[list] : undefined;
  return Array.isArray(rules) ? rules.filter((rule): rule is string => typeof rule === 'string') : [];
}

function rulesOf(
  { text, list }: { text: string; list: keyof PermissionRules },
  layer: SettingsLayer,
  { env, problems, refuseBroken, unread }: Joining & { readonly unread: Rule[] },
): readonly Rule[] {
  const line = lineOfString(layer.text, text, list);
  const origin = { source: layer.source, ...(line === undefined ? {} : { line }) };
  const parsed = parseRules({ [list]: [substituteText(text, env)] }, origin);
  const variable = unsetReference(text, env);
  const unset = variable === undefined ? [] : [unsetProblem(text, variable, origin)];
  for (const problem of [...unset, ...parsed.problems]) {
    // Another agent's files allow tools of that agent.
    if (problem.code === 'rule.unfamiliar-tool' && list === 'allow' && layer.dialect !== 'robota') continue;
    if (!isLostGuard(problem, list)) {
      problems.push(problem);
      continue;
    }
    // An invalid deny or ask rule must not silently protect nothing.
    if (refuseBroken || !layer.fromProject) {
      const broken = addSentence(problem, 'The rule would protect nothing.');
      throw new AgentError('config', broken.message, broken);
    }
    unread.push({ tool: '*', text, origin });
    problems.push(closedProblem(problem));
  }
  return variable === undefined ? parsed.rules[list] : [];
}

/** Its text would be taken for a part of the rule, which then matches nothing. */
function unsetProblem(rule: string, variable: string, origin: RuleOrigin) {
  const message = sentence`Rule "${{ rule }}": the environment variable ${{ variable }} is not set.`;
  const source = { file: origin.source, line: origin.line };
  return warning('rule.unset-variable', message, { subject: rule, source, isInactive: true });
}
