import type { PermissionDecision } from '@robota-sdk/agent-core';
import { placeOf } from './permission-report.ts';

/**
 * Formats a decision: the verdict, the reason, the rule and its location, and rules that would allow the
 * call.
 */
export function describeDecision(subject: string, decision: PermissionDecision): string {
  const { verdict, reason, rule, wouldAllow } = decision;
  const lines = [`${verdict}: ${subject}`, `  why: ${reason}`];
  if (rule !== undefined && !reason.includes(rule.text))
    lines.push(`  rule: ${rule.text}  (${placeOf(rule)})`);
  if (verdict !== 'allow') lines.push(`  ${whatWouldAllow(decision, wouldAllow)}`);
  return lines.join('\n');
}

function whatWouldAllow({ verdict, rule }: PermissionDecision, rules: readonly string[] | undefined): string {
  if (rules !== undefined && rules.length > 0) return `would be allowed by: ${rules.join(', ')}`;
  if (rule !== undefined) return 'no allow rule overrides this one.';
  return verdict === 'ask' ? 'no rule would allow it: it is always asked about.' : 'no rule would allow it.';
}
