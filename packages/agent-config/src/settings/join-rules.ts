import {
  AgentError,
  endSentence,
  isJsonObject,
  type PermissionRules,
  parseRules,
  type Rule,
} from '@robota-sdk/agent-core';
import { lineOfString } from '../file/read-json.ts';
import { type SettingsLayer, substituteText } from '../options/settings.ts';
import { closedText } from './closed-layer.ts';

interface Joining {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warnings: string[];
  /** A rule of a project that can't be understood is an error, too; else every call is asked about. */
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
  { env, warnings, refuseBroken, unread }: Joining & { readonly unread: Rule[] },
): readonly Rule[] {
  const line = lineOfString(layer.text, text, list);
  const origin = { source: layer.source, ...(line === undefined ? {} : { line }) };
  const { rules, problems } = parseRules({ [list]: [substituteText(text, env)] }, origin);
  const place = line === undefined ? layer.source : `${layer.source}:${line}`;
  for (const { code, message } of problems) {
    const isDoubt = code === 'unfamiliar-tool' || code === 'unmatchable';
    // Another agent's files allow tools of that agent.
    if (code === 'unfamiliar-tool' && list === 'allow' && layer.dialect !== 'robota') continue;
    // An unparsable deny or ask rule must not silently protect nothing.
    if (list !== 'allow' && !isDoubt) {
      if (refuseBroken || !layer.fromProject) {
        const advice = 'Correct the rule, so that it protects what it should.';
        throw new AgentError('config', `${place}: ${endSentence(message)} ${advice}`);
      }
      unread.push({ tool: '*', text, origin });
      warnings.push(`${place}: ${endSentence(message)} ${closedText}`);
      continue;
    }
    warnings.push(`${place}: ${message}`);
  }
  return rules[list];
}
