import {
  type ApprovalRecord,
  checkPermission,
  offeredRules,
  type PermissionPolicy,
  type PermissionSubject,
  parseRules,
} from '@robota-sdk/agent-sdk/front-end';

/** A rule that would have spared questions, and what it would let through beside them. */
export interface RuleSuggestion {
  readonly rule: string;
  /** How many of the recorded questions it would have helped to spare. */
  readonly spared: number;
  /** The calls that were asked about, each once. */
  readonly examples: readonly string[];
  /** Other calls it would allow, described and with examples from the history. */
  readonly alsoAllows: string;
}

const maximumExamples = 3;

/** The smallest rules that would have covered recent approvals, those that spare the most questions first. */
export async function suggestRules(
  policy: PermissionPolicy,
  approvals: readonly ApprovalRecord[],
): Promise<readonly RuleSuggestion[]> {
  const counts = new Map<string, { spared: number; examples: Set<string> }>();
  for (const approval of approvals) {
    const subject = subjectOf(approval);
    if (subject === undefined) continue;
    const decision = await checkPermission(policy, subject);
    if (decision.verdict !== 'ask') continue;
    for (const rule of offeredRules(decision)) {
      const known = counts.get(rule) ?? { spared: 0, examples: new Set() };
      known.examples.add(shown(approval));
      counts.set(rule, { ...known, spared: known.spared + 1 });
    }
  }
  const suggestions = [...counts].map(async ([rule, { spared, examples }]) => ({
    rule,
    spared,
    examples: [...examples].slice(0, maximumExamples),
    alsoAllows: await beyond(rule, { policy, approvals, examples }),
  }));
  return (await Promise.all(suggestions)).sort((a, b) => b.spared - a.spared || a.rule.localeCompare(b.rule));
}

function subjectOf({ tool, command, path, url }: ApprovalRecord): PermissionSubject | undefined {
  if (command !== undefined) return { command };
  if (path !== undefined) return { tool, path };
  return url === undefined ? { tool } : { tool, url };
}

function shown({ tool, command, path, url }: ApprovalRecord): string {
  return command ?? `${tool} ${path ?? url ?? ''}`.trim();
}

/** Replays the history with and without the rule. */
async function beyond(
  rule: string,
  known: { policy: PermissionPolicy; approvals: readonly ApprovalRecord[]; examples: ReadonlySet<string> },
): Promise<string> {
  const { policy, approvals, examples } = known;
  const added = parseRules({ allow: [rule] }, { source: 'suggestion' }).rules.allow;
  const wider = { ...policy, rules: { ...policy.rules, allow: [...policy.rules.allow, ...added] } };
  const others = new Map(approvals.map((approval) => [shown(approval), approval]));
  const newly: string[] = [];
  for (const [text, approval] of others) {
    const subject = subjectOf(approval);
    if (subject === undefined || examples.has(text) || newly.length === maximumExamples) continue;
    const [before, after] = [await checkPermission(policy, subject), await checkPermission(wider, subject)];
    if (before.verdict !== 'allow' && after.verdict === 'allow') newly.push(text);
  }
  const seen = newly.length === 0 ? '' : `; seen before: ${newly.map((text) => `\`${text}\``).join(', ')}`;
  return `${scopeOf(rule)}${seen}`;
}

function scopeOf(rule: string): string {
  if (rule.startsWith('Bash(')) return 'nothing but this command';
  if (rule.startsWith('WebFetch(')) return 'every page of this host';
  return rule.includes('(')
    ? 'nothing but this file, or everything in it if it is a directory'
    : 'every call of this tool';
}
