import { nearest } from '../problem/nearest.ts';
import { toolAlias } from '../tool/tool-aliases.ts';
import type { PermissionRules, Rule, RuleOrigin } from './policy/permission.ts';

/** Why the text of a rule can't be used, or will not do what it seems to. */
export interface RuleProblem {
  readonly code:
    | 'empty'
    | 'malformed'
    | 'unanchored'
    | 'unfamiliar-tool'
    | 'unknown-tool'
    | 'unmatchable'
    | 'unsupported';
  readonly text: string;
  readonly origin: RuleOrigin;
  /** In plain words, with what to write instead. */
  readonly message: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly problem: RuleProblem };

/** The three lists as they stand in a settings file. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Names of the tools the product itself brings. */
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

/** Tools whose calls have nothing that a specifier could be compared with. */
const plainTools: readonly string[] = [
  'AskUser',
  'ExitPlanMode',
  'ListMcpResources',
  'McpCall',
  'TodoWrite',
  'ToolSearch',
  'WebSearch',
];

/** Reads one rule: `Tool` or `Tool(specifier)`; a name that another agent has for a tool of ours means ours. */
export function parseRule(text: string, origin: RuleOrigin): ParsedRule {
  const trimmed = text.trim();
  const refuse = (code: RuleProblem['code'], message: string): ParsedRule => ({
    ok: false,
    problem: { code, text, origin, message },
  });
  if (trimmed === '')
    return refuse('empty', 'The rule is empty. Write Tool or Tool(specifier), or remove it.');
  const open = trimmed.indexOf('(');
  const written = open === -1 ? trimmed : trimmed.slice(0, open);
  const { tool, files } = toolAlias(written);
  if (!isToolName(written)) {
    return refuse(
      'malformed',
      `"${trimmed}" does not begin with a tool name. Write Tool or Tool(specifier).`,
    );
  }
  if (open === -1) {
    const whole = { tool, text: trimmed, origin };
    return { ok: true, rule: files === undefined ? whole : { ...whole, specifier: files } };
  }
  if (!trimmed.endsWith(')')) {
    const complete =
      trimmed === `${written}(` ? `${written} for every use of the tool, or ${written}(…)` : `${trimmed})`;
    return refuse('malformed', `"${trimmed}" has no closing parenthesis at its end. Write ${complete}.`);
  }
  const specifier = trimmed.slice(open + 1, -1).trim();
  if (specifier === '') {
    return refuse(
      'malformed',
      `"${trimmed}" has nothing in its parentheses. Write ${written} for every use of the tool.`,
    );
  }
  const complaint = complaintAbout(tool, specifier);
  if (complaint !== undefined) return refuse('unsupported', complaint);
  // To allow some files for a tool of certain files must not allow them for one of all files.
  return {
    ok: true,
    rule: { tool: files === undefined ? tool : written, specifier, text: trimmed, origin },
  };
}

/** Reads three lists. A rule that can't be used is named and left out; the others stay as they are. */
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
      if (doubt?.code === 'unanchored') return [];
      return [doubt?.code === 'unmatchable' && list !== 'allow' ? withoutSpecifier(rule) : rule];
    });
  return { rules: { allow: parseList('allow'), ask: parseList('ask'), deny: parseList('deny') }, problems };
}

/** True if an allow rule names too little of a tool to be taken seriously, such as `*` or `mcp__*`. */
export function isUnanchored(tool: string): boolean {
  const star = tool.indexOf('*');
  if (star === -1) return false;
  return !/^mcp__[^*]+__/.test(tool);
}

/** A guard may cover more than it says, never less. */
function asGuard(rule: Rule): Rule {
  return { ...rule, tool: toolAlias(rule.tool).tool };
}

function withoutSpecifier({ specifier: _, ...rule }: Rule): Rule {
  return rule;
}

function isToolName(text: string): boolean {
  return /^[A-Za-z0-9_.*-]+$/.test(text);
}

function complaintAbout(tool: string, specifier: string): string | undefined {
  if (pathTools.includes(tool) && specifier.startsWith('!')) {
    return `"${tool}(${specifier})" begins with "!", which path rules do not know. Put an exception into another list.`;
  }
  if (tool === 'WebFetch' && !isFetchSpecifier(specifier)) {
    return `"${tool}(${specifier})" names no domain. Write WebFetch(domain:example.com) or WebFetch(https://example.com/*).`;
  }
  return undefined;
}

function isFetchSpecifier(specifier: string): boolean {
  return specifier === '*' || /^domain:\S+$/.test(specifier) || /^https?:\/\/[^/\s]+/.test(specifier);
}

function doubtAbout(rule: Rule, list: keyof PermissionRules): RuleProblem | undefined {
  const { text, origin } = rule;
  if (list === 'allow' && isUnanchored(rule.tool)) {
    const message = `"${text}" would allow tools nobody named. Name each tool, or a server's: mcp__server__*`;
    return { code: 'unanchored', text, origin, message };
  }
  if (rule.specifier !== undefined && plainTools.includes(rule.tool)) {
    const meaning = list === 'allow' ? 'it allows nothing' : `it counts for every use of ${rule.tool}`;
    const message = `"${text}" can't be compared with a call of ${rule.tool}, so ${meaning}. Write ${rule.tool}.`;
    return { code: 'unmatchable', text, origin, message };
  }
  if (rule.tool.includes('*') || rule.tool.startsWith('mcp__') || isBuiltIn(rule.tool)) return undefined;
  const [likely] = nearest(rule.tool, builtInTools);
  if (likely !== undefined) {
    const why =
      likely.toLowerCase() === rule.tool.toLowerCase()
        ? 'names an unknown tool: names are case-sensitive'
        : 'names an unknown tool';
    return { code: 'unknown-tool', text, origin, message: `"${text}" ${why}. Did you mean ${likely}?` };
  }
  const message = `"${text}" names none of the built-in tools; it counts only if an extension brings "${rule.tool}".`;
  return { code: 'unfamiliar-tool', text, origin, message };
}

/** The tool that an extension would have to bring, of a message that says so about a rule. */
export function uncertainTool(message: string): string | undefined {
  return /; it counts only if an extension brings "([^"]+)"\.$/.exec(message)?.[1];
}

function isBuiltIn(tool: string): boolean {
  return (builtInTools as readonly string[]).includes(tool);
}
