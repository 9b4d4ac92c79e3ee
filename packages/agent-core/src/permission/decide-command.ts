import type { ShellScript } from '@robota-sdk/agent-shell';
import {
  dangerText,
  extractCommands,
  namedDeletions,
  type PlacedCommand,
  placeCommands,
  type Risk,
  risksOf,
  suspiciousCharacter,
  unknownText,
} from '@robota-sdk/agent-shell';
import type { AskedCommand } from '../tool/user-interface.ts';
import { allowedBy, askedBy, deniedBy, describeRule, quoteCommand } from './combine.ts';
import { type Coverage, coverParts, coverScript, type Gap } from './cover-script.ts';
import { collapseSpace, sourceText } from './match-command.ts';
import {
  hiddenHit,
  type RuleHit,
  scriptCatastrophe,
  scriptHit,
  withPlacedRuns,
  writesProtected,
} from './match-script.ts';
import { checkedOutLinks, trackedFor } from './match-tree.ts';
import type { PermissionDecision, PermissionPolicy } from './policy/permission.ts';
import { ruleForScript } from './suggest-rule.ts';

/** Linux's limit for one argument: 128 KiB with the final NUL. */
const longestCommand = 131_071;

/** A command line to judge, and its directory. */
export interface CommandRequest {
  readonly command: string;
  readonly cwd: string;
}

/** Judges a command line by its syntax tree. The parser is loaded on first use. */
export async function decideCommand(
  given: PermissionPolicy,
  request: CommandRequest,
): Promise<PermissionDecision> {
  const { command, cwd } = request;
  if (command.trim() === '')
    return { verdict: 'deny', reason: 'The command is empty: there is nothing to run.' };
  if (command.includes('\0')) {
    return { verdict: 'deny', reason: 'The command contains a NUL character, which no shell can be given.' };
  }
  if (command.length > longestCommand) {
    const reason = `The command has more than ${longestCommand.toLocaleString('en')} characters, which is more than a shell takes. Put long texts into files.`;
    return { verdict: 'deny', reason };
  }
  const policy = withIgnoreLines(given);
  const script = await readScript(command);
  const placed = placeCommands(script, policy, cwd);
  const catastrophe = scriptCatastrophe(script, placed);
  if (catastrophe !== undefined) return { verdict: 'deny', ...catastrophe };
  const denied = scriptHit('deny', policy, placed, command);
  if (denied?.certainty === 'hit') return deniedBy(denied.rule, denied.what);
  const asked = scriptHit('ask', policy, placed, command);
  if (asked?.certainty === 'hit')
    return withRisks(askedBy(asked.rule, asked.what), policy, { script, placed });
  const all = placed.flatMap((one) => [...withPlacedRuns(one)]);
  const tracked = await trackedFor(policy, all);
  const links = await checkedOutLinks(policy, placed);
  const coverage = coverScript(policy, script, { placed, tracked, links });
  const possible = denied ?? asked ?? hiddenHit(policy, script);
  const gaps = [...(possible === undefined ? [] : [possibleGap(possible)]), ...coverage.gaps];
  const what = quoteCommand(collapseSpace(command));
  if (gaps.length > 0) {
    const decision = decideByMode(policy, gaps, { command, what, possible });
    if (decision.verdict !== 'ask') return decision;
    const told = await withRisks(decision, policy, { script, placed });
    return writesProtected(policy, placed) ? { ...told, isProtected: true, isFinal: true } : told;
  }
  if (coverage.rule !== undefined) return allowedBy(coverage.rule, what);
  return { verdict: 'allow', reason: `${what} only reads in the workspace.` };
}

/** Lines with more commands are shown as a whole. */
const mostParts = 30;

/**
 * The single commands of a line with what is known about each, for display in a question; empty for one command. It
 * decides nothing. `rules` are those that the question offers: a part names no others.
 */
export async function commandParts(
  given: PermissionPolicy,
  { command, cwd }: CommandRequest,
  rules: readonly string[],
): Promise<readonly AskedCommand[]> {
  const policy = withIgnoreLines(given);
  const script = await readScript(command);
  const placed = placeCommands(script, policy, cwd);
  if (script.doubts.length > 0 || placed.length < 2 || placed.length > mostParts) return [];
  const all = placed.flatMap((one) => [...withPlacedRuns(one)]);
  const tracked = await trackedFor(policy, all);
  const links = await checkedOutLinks(policy, placed);
  const covered = coverParts(policy, script, { placed, tracked, links });
  const parts = placed.flatMap((one, at) => {
    const coverage = covered[at];
    return coverage && one.command.words.length > 0 ? [partOf(policy, one, { coverage, rules })] : [];
  });
  return parts.length < 2 ? [] : parts;
}

function partOf(
  policy: PermissionPolicy,
  placed: PlacedCommand,
  { coverage: { gaps, rule }, rules }: { readonly coverage: Coverage; readonly rules: readonly string[] },
): AskedCommand {
  const text = sourceText(placed.command).replaceAll(unknownText, '…');
  const hit = scriptHit('deny', policy, [placed]) ?? scriptHit('ask', policy, [placed]);
  if (hit !== undefined) return { text, isAllowed: false, rule: hit.rule.text };
  if (gaps.length === 0) return { text, isAllowed: true, ...(rule === undefined ? {} : { rule: rule.text }) };
  if (policy.mode === 'bypassPermissions') return { text, isAllowed: true };
  const needs = [...new Set(gaps.flatMap(({ wouldAllow = [] }) => wouldAllow))];
  const isEnough = gaps.every(({ wouldAllow }) => wouldAllow?.every((each) => rules.includes(each)));
  return { text, isAllowed: false, ...(isEnough ? { needs } : {}) };
}

/** Adds ignore file lines as deny rules for commands, whose files may be known only as a pattern. */
function withIgnoreLines(policy: PermissionPolicy): PermissionPolicy {
  const lines = policy.ignored?.rules ?? [];
  if (lines.length === 0) return policy;
  return { ...policy, rules: { ...policy.rules, deny: [...policy.rules.deny, ...lines] } };
}

/** Puts all dangers first in a question: the rest of its reason may be about a harmless part. */
async function withRisks(
  decision: PermissionDecision,
  policy: PermissionPolicy,
  { script, placed }: { readonly script: ShellScript; readonly placed: readonly PlacedCommand[] },
): Promise<PermissionDecision> {
  const all = placed.flatMap((one) => [...withPlacedRuns(one)]);
  const { dangers: seen, cautions } = risksOf(policy, script, all);
  const dangers = [...seen, ...(await ignoredDeletions(policy, all))];
  return {
    ...decision,
    reason: dangerText(dangers) + decision.reason,
    ...(dangers.length > 0 ? { dangers } : {}),
    ...(cautions.length > 0 ? { cautions } : {}),
  };
}

/** Directories and files that programs create again. */
const generated =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|htmlcov|tmp|temp|logs?|bin|obj|vendor|venv|\.(?:venv|cache|next|nuxt|output|turbo|gradle|tox|nyc_output|parcel-cache|svelte-kit|vite|angular|terraform|eslintcache)|__pycache__|\.[a-z]+_cache|[^/]+\.(?:log|pyc|pyo|o|a|so|class|tsbuildinfo|egg-info|tmp|swp))(?:\/|$)/;

/** Deletions of files that checkpoints do not see, because git ignores them, unless they are only generated. */
async function ignoredDeletions(policy: PermissionPolicy, placed: readonly PlacedCommand[]): Promise<Risk[]> {
  const deletions = placed.flatMap((one) =>
    namedDeletions(policy, one).map((each) => ({ ...each, directory: one.directories[0] ?? one.start })),
  );
  const found = await Promise.all(
    deletions.map(async ({ paths, risk, directory }) => {
      const ignored = (await policy.files?.ignored?.(directory, paths)) ?? [];
      const { cwd } = policy.workspace;
      return ignored.some((file) => !generated.test(file.replace(cwd, ''))) ? [risk] : [];
    }),
  );
  return found.flat();
}

let latest: { readonly command: string; readonly script: ShellScript } | undefined;

/** Parses a command line. The last result is cached, because a command is judged more than once before it runs. */
export async function readScript(command: string): Promise<ShellScript> {
  if (latest?.command === command) return latest.script;
  const script = await parseScript(command);
  latest = { command, script };
  return script;
}

/** Invisible characters make a command doubtful. */
async function parseScript(command: string): Promise<ShellScript> {
  const script = extractCommands(command, await import('unbash'));
  const suspicious = suspiciousCharacter(command);
  return suspicious === undefined
    ? script
    : { ...script, doubts: [...script.doubts, `it contains ${suspicious}`] };
}

function decideByMode(
  policy: PermissionPolicy,
  gaps: readonly Gap[],
  { command, what, possible }: { command: string; what: string; possible: RuleHit | undefined },
): PermissionDecision {
  // A rule that may match applies in every mode, and no hook can answer instead.
  const rule = possible === undefined ? {} : { rule: possible.rule, isFinal: true as const };
  if (policy.mode === 'bypassPermissions' && possible === undefined) {
    return { verdict: 'allow', reason: `${what} is allowed: bypassPermissions asks nothing.` };
  }
  const rules = rulesThatClose(gaps, command);
  const wouldAllow = rules === undefined ? {} : { wouldAllow: rules };
  const reason = gaps[0]?.reason ?? '';
  if (policy.mode === 'plan' && gaps.some((gap) => !gap.isRead)) {
    return { verdict: 'deny', mode: policy.mode, reason: `Plan mode only reads. ${reason}`, ...wouldAllow };
  }
  return { verdict: 'ask', reason, ...rule, ...wouldAllow };
}

function possibleGap({ what, rule }: RuleHit): Gap {
  if (rule.isIgnoreLine) return { reason: `${what} may reach a file that ${describeRule(rule)} hides.` };
  return { reason: `${what} may become what ${rule.text} stops.` };
}

function rulesThatClose(gaps: readonly Gap[], command: string): readonly string[] | undefined {
  if (gaps.some((gap) => gap.wouldAllow === undefined && !gap.needsWhole)) return undefined;
  if (gaps.some((gap) => gap.needsWhole)) return ruleForScript(command);
  return [...new Set(gaps.flatMap((gap) => gap.wouldAllow ?? []))];
}
