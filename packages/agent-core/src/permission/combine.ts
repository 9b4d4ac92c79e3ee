import { shorten } from '../naming/short-text.ts';
import type { PermissionDecision, Rule } from './policy/permission.ts';

const maximumShown = 200;
const strictness = ['deny', 'ask', 'allow'] as const;
/** Placeholder for a part of a command that only the shell can expand. */
const unknownText = '\uE001';

/**
 * The strictest of several decisions, and of equally strict ones that of a rule. Rules that would allow are joined, and
 * absent if one part has none.
 */
export function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const verdict = strictness.find((each) => decisions.some((one) => one.verdict === each));
  const equal = decisions.filter((one) => one.verdict === verdict);
  const worst = equal.find((one) => one.rule !== undefined) ?? equal[0];
  if (worst === undefined || worst.verdict === 'allow') return worst;
  const open = decisions.filter((one) => one.verdict !== 'allow');
  const isProtected = open.some((one) => one.isProtected);
  const isFinal = open.some((one) => one.isFinal);
  const { wouldAllow: _, ...kept } = worst;
  const dangers = open.flatMap((one) => one.dangers ?? []);
  const cautions = open.flatMap((one) => one.cautions ?? []);
  const rest = {
    ...kept,
    ...(isProtected ? { isProtected } : {}),
    ...(isFinal ? { isFinal } : {}),
    ...(dangers.length > 0 ? { dangers } : {}),
    ...(cautions.length > 0 ? { cautions } : {}),
  };
  if (open.some((one) => one.wouldAllow === undefined)) return rest;
  return { ...rest, wouldAllow: [...new Set(open.flatMap((one) => one.wouldAllow ?? []))] };
}

/** The rules that may be offered for a call: none for a dangerous one, which the user must allow by hand. */
export function offeredRules({ dangers, wouldAllow = [] }: PermissionDecision): readonly string[] {
  return dangers ? [] : wouldAllow;
}

/** A rule's text and location, for explanations. */
export function describeRule(rule: Rule): string {
  const { source, line } = rule.origin;
  return `${rule.text} (${line === undefined ? source : `${source}:${line}`})`;
}

/** The decision of a deny rule. */
export function deniedBy(rule: Rule, what: string): PermissionDecision {
  if (rule.isIgnoreLine) {
    const reason = `${what} is refused: the ignore file line ${describeRule(rule)} hides it.`;
    return { verdict: 'deny', rule, reason };
  }
  return { verdict: 'deny', rule, reason: `${what} is refused by the deny rule ${describeRule(rule)}.` };
}

/** The decision of an ask rule. */
export function askedBy(rule: Rule, what: string): PermissionDecision {
  return {
    verdict: 'ask',
    isFinal: true,
    rule,
    reason: `${what} needs your confirmation by the ask rule ${describeRule(rule)}.`,
  };
}

/** The decision of an allow rule. */
export function allowedBy(rule: Rule, what: string): PermissionDecision {
  return { verdict: 'allow', rule, reason: `${what} is allowed by the rule ${describeRule(rule)}.` };
}

/** Quotes a command for explanations. */
export function quoteCommand(command: string): string {
  return `\`${shorten(command.replaceAll(unknownText, '…'), maximumShown)}\``;
}
