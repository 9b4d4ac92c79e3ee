import { nearest } from '@robota-sdk/agent-diff';
import { addSentence, messageParts, type Problem, type ProblemText, sentence } from '../problem/problem.ts';
import { toolAlias } from '../tool/tool-aliases.ts';
import { urlPattern } from './decide-fetch.ts';
import type { PermissionRules, Rule, RuleOrigin } from './policy/permission.ts';

/** Why a rule cannot be used, or will not do what it seems to. Its subject is the rule's tool. */
export interface RuleProblem extends Problem {
  readonly code:
    | 'rule.empty'
    | 'rule.malformed'
    | 'rule.unanchored'
    | 'rule.unfamiliar-tool'
    | 'rule.unknown-tool'
    | 'rule.unmatchable'
    | 'rule.unsupported';
  /** The rule as it is written. */
  readonly text: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly problem: RuleProblem };

/** The three lists of a settings file. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Names of the built-in tools. */
export const builtInTools = [
  'Agent',
  'AskUser',
  'ExitPlanMode',
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'ListMcpResources',
  'McpCall',
  'Read',
  'Skill',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Write',
] as const;

/** Tools whose specifier is a path pattern. */
export const pathTools: readonly string[] = ['Edit', 'Glob', 'Grep', 'Read', 'Write'];

/** Tools that take no specifier. */
const plainTools: readonly string[] = [
  'AskUser',
  'ExitPlanMode',
  'ListMcpResources',
  'McpCall',
  'TodoWrite',
  'ToolSearch',
  'WebSearch',
];

/** Parses one rule: `Tool` or `Tool(specifier)`; another agent's name for a tool is mapped to ours. */
export function parseRule(text: string, origin: RuleOrigin): ParsedRule {
  const trimmed = text.trim();
  const refuse = (code: RuleProblem['code'], message: string | ProblemText, hint: string): ParsedRule => ({
    ok: false,
    problem: { ...ruleProblem({ code, text, origin }), ...messageParts(message), hint },
  });
  if (trimmed === '')
    return refuse('rule.empty', 'Empty rule.', 'Write Tool or Tool(specifier), or remove it.');
  const open = trimmed.indexOf('(');
  const written = open === -1 ? trimmed : trimmed.slice(0, open);
  const { tool, files } = toolAlias(written);
  if (!isToolName(written)) {
    const message = sentence`Rule "${{ rule: trimmed }}" does not start with a tool name.`;
    return refuse('rule.malformed', message, 'Write Tool or Tool(specifier).');
  }
  if (open === -1) {
    const whole = { tool, text: trimmed, origin };
    return { ok: true, rule: files === undefined ? whole : { ...whole, specifier: files } };
  }
  const rules = splitRules(trimmed, 'plain');
  const isSeveral = rules.length > 1 && rules.every((one) => wholeRule.test(one));
  const end = closingAt(trimmed, open, quotingOf(written));
  if (end === undefined) {
    const complete =
      trimmed === `${written}(` ? `${written} for every use of the tool, or ${written}(…)` : `${trimmed})`;
    const message = sentence`Rule "${{ rule: trimmed }}" has no closing parenthesis at its end.`;
    return refuse('rule.malformed', message, `Write ${complete}.`);
  }
  if (isSeveral || end < trimmed.length - 1) {
    const message = sentence`Rule "${{ rule: trimmed }}" does not end at its closing parenthesis.`;
    const hint = isSeveral
      ? `Write each rule on its own: ${rules.join(' and ')}`
      : 'Write one rule, Tool(specifier), and put other parentheses of a command into quotes.';
    return refuse('rule.malformed', message, hint);
  }
  const specifier = trimmed.slice(open + 1, -1).trim();
  if (specifier === '') {
    const message = sentence`Rule "${{ rule: trimmed }}" has empty parentheses.`;
    return refuse('rule.malformed', message, `Write ${written} for every use of the tool.`);
  }
  const complaint = complaintAbout(tool, specifier);
  if (complaint !== undefined) return refuse('rule.unsupported', complaint.message, complaint.hint);
  // Allowing files for a tool of certain files must not allow them for a tool of all files.
  return {
    ok: true,
    rule: { tool: files === undefined ? tool : written, specifier, text: trimmed, origin },
  };
}

/** Splits a list of rules at commas and blanks; those inside parentheses belong to their rule. */
export function splitRules(text: string, reading: 'plain' | 'quoted' = 'quoted'): string[] {
  const rules: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '(') {
      const quoting = reading === 'quoted' ? quotingOf(text.slice(from, at)) : 'plain';
      at = closingAt(text, at, quoting) ?? text.length;
    }
    if (at < text.length && !/[\s,]/.test(text[at] ?? '')) continue;
    rules.push(text.slice(from, at));
    from = at + 1;
  }
  return rules.filter((rule) => rule !== '');
}

const wholeRule = /^[\w.*-]+(?:\(.*\))?$/s;

/** Commands have quotes, and parentheses inside them are text. */
function quotingOf(tool: string): 'plain' | 'quoted' {
  return toolAlias(tool).tool === 'Bash' ? 'quoted' : 'plain';
}

/** The position of the parenthesis that closes the one at `open`. A quote that is never closed is a plain character. */
function closingAt(text: string, open: number, reading: 'plain' | 'quoted'): number | undefined {
  let depth = 0;
  let quote = '';
  for (let at = open; at < text.length; at++) {
    const character = text[at];
    if (reading === 'quoted' && character === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (reading === 'quoted' && (character === '"' || character === "'")) quote = character;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return quote === '' ? undefined : closingAt(text, open, 'plain');
}

/** Parses three lists. An invalid rule is reported and skipped. */
export function parseRules(
  texts: RuleTexts,
  origin: RuleOrigin,
): { rules: PermissionRules; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const parseList = (list: keyof PermissionRules): Rule[] =>
    (texts[list] ?? []).flatMap((text) => {
      const parsed = parseRule(text, origin);
      if (!parsed.ok) {
        problems.push(parsed.problem);
        return [];
      }
      const rule = list === 'allow' ? parsed.rule : asGuard(parsed.rule);
      const doubt = doubtAbout(rule, list);
      if (doubt !== undefined) problems.push(doubt);
      if (doubt?.code === 'rule.unanchored') return [];
      return [doubt?.code === 'rule.unmatchable' && list !== 'allow' ? withoutSpecifier(rule) : rule];
    });
  return { rules: { allow: parseList('allow'), ask: parseList('ask'), deny: parseList('deny') }, problems };
}

/** True if a problem of a deny or ask rule means that it would protect less than it says. */
export function isLostGuard({ code }: Pick<Problem, 'code'>, list: keyof PermissionRules): boolean {
  return list !== 'allow' && code !== 'rule.unfamiliar-tool' && code !== 'rule.unmatchable';
}

/** True if an allow rule's tool is too broad, such as `*` or `mcp__*`. */
export function isUnanchored(tool: string): boolean {
  const star = tool.indexOf('*');
  if (star === -1) return false;
  return !/^mcp__[^*]+__/.test(tool);
}

/** A deny or ask rule may cover more than it says, never less. */
function asGuard(rule: Rule): Rule {
  return { ...rule, tool: toolAlias(rule.tool).tool };
}

function withoutSpecifier({ specifier: _, ...rule }: Rule): Rule {
  return rule;
}

function isToolName(text: string): boolean {
  return /^[A-Za-z0-9_.*-]+$/.test(text);
}

function complaintAbout(tool: string, specifier: string): { message: ProblemText; hint: string } | undefined {
  const rule = `${tool}(${specifier})`;
  if (pathTools.includes(tool) && specifier.startsWith('!')) {
    const message = sentence`Rule "${{ rule }}" starts with "!", which path rules do not support.`;
    return { message, hint: 'Put the exception into another list.' };
  }
  if (tool === 'WebFetch' && urlPattern(specifier) === undefined) {
    const hint = 'Write WebFetch(domain:example.com) or WebFetch(https://example.com/*).';
    return { message: sentence`Rule "${{ rule }}" names no domain.`, hint };
  }
  return undefined;
}

function doubtAbout(rule: Rule, list: keyof PermissionRules): RuleProblem | undefined {
  const { text, tool } = rule;
  if (list === 'allow' && isUnanchored(tool)) {
    const message = sentence`Rule "${{ rule: text }}" would allow tools that it does not name.`;
    const hint = "Name each tool, or a server's: mcp__server__*";
    return { ...ruleProblem({ ...rule, code: 'rule.unanchored' }), ...message, hint };
  }
  if (rule.specifier !== undefined && plainTools.includes(tool)) {
    const effect = list === 'allow' ? 'it allows nothing' : `it applies to every use of ${tool}`;
    const message = sentence`Rule "${{ rule: text }}": calls of ${{ tool }} have nothing to compare, so ${{ effect }}.`;
    return { ...ruleProblem({ ...rule, code: 'rule.unmatchable' }), ...message, hint: `Write ${tool}.` };
  }
  if (tool.includes('*') || tool.startsWith('mcp__') || isBuiltIn(tool)) return undefined;
  const [likely] = nearest(tool, builtInTools);
  if (likely !== undefined) {
    const isCase = likely.toLowerCase() === tool.toLowerCase();
    const message = sentence`Unknown tool "${{ tool }}" in rule "${{ rule: text }}".`;
    const hint = `Did you mean ${likely}?`;
    const problem = { ...ruleProblem({ ...rule, code: 'rule.unknown-tool' }), ...message, hint };
    return isCase ? addSentence(problem, 'Names are case-sensitive.') : problem;
  }
  const message = sentence`Unknown tool "${{ tool }}" in rule "${{ rule: text }}". The rule applies only if an extension adds that tool.`;
  return { ...ruleProblem({ ...rule, code: 'rule.unfamiliar-tool' }), ...message, isInactive: true };
}

function ruleProblem<Code extends RuleProblem['code']>(rule: {
  readonly code: Code;
  readonly text: string;
  readonly origin: RuleOrigin;
  readonly tool?: string;
}) {
  const { code, text, origin, tool } = rule;
  const source = { file: origin.source, line: origin.line };
  return { code, severity: 'warning' as const, text, source, subject: tool };
}

function isBuiltIn(tool: string): boolean {
  return (builtInTools as readonly string[]).includes(tool);
}
