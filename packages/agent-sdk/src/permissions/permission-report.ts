import type { HostEnvironment } from '@robota-sdk/agent-config';
import { givenLayers, lineOfKey, optionTable, readLayers } from '@robota-sdk/agent-config';
import {
  decide,
  describeProblems,
  type IgnoredFiles,
  isJsonObject,
  type JsonObject,
  type PermissionMode,
  type PermissionRules,
  type Problem,
  type Rule,
  type Workspace,
} from '@robota-sdk/agent-core';

/** The current mode and rules with their sources, and those that do not do what they seem to. */
export interface PermissionReport {
  readonly mode: PermissionMode;
  /** The origin of the mode. */
  readonly modeOrigin: string;
  readonly rules: PermissionRules;
  /** Lines of ignore files: the files they hide are denied like those of a deny rule. */
  readonly ignored: readonly Rule[];
  /** Rules that never decide anything, and why. */
  readonly ineffective: readonly { readonly rule: Rule; readonly why: string }[];
  /** Problems of the rules and of the files they come from. */
  readonly problems: readonly Problem[];
  /** The texts of these problems. */
  readonly warnings: readonly string[];
}

export interface ReportSources extends Pick<PermissionReport, 'mode' | 'modeOrigin' | 'rules' | 'problems'> {
  readonly ignored?: IgnoredFiles | undefined;
  readonly workspace: Workspace;
}

const lists = ['deny', 'ask', 'allow'] as const;

/** Finds rules that stricter or earlier ones make redundant. */
export async function permissionReport({ workspace, ...sources }: ReportSources): Promise<PermissionReport> {
  const { rules } = sources;
  const found = await Promise.all(
    lists.flatMap((list) =>
      rules[list].map(async (rule) => {
        const why = repeats(rule, list, rules) ?? (await overruled(rule, list, { rules, workspace }));
        return why === undefined ? [] : [{ rule, why }];
      }),
    ),
  );
  const { mode, modeOrigin, problems, ignored } = sources;
  const warnings = describeProblems(problems);
  return {
    mode,
    modeOrigin,
    rules,
    ignored: ignored?.rules ?? [],
    ineffective: found.flat(),
    problems,
    warnings,
  };
}

/** Formats a report. */
export function describePermissions(report: PermissionReport): string {
  const { mode, modeOrigin, rules, ignored, ineffective, warnings } = report;
  const sections = lists.map((list) => {
    const lines = rules[list].map((rule) => {
      const problem = ineffective.find((one) => one.rule === rule);
      return `  ${rule.text}  (${placeOf(rule)})${problem === undefined ? '' : `\n    never decides: ${problem.why}`}`;
    });
    return [`${list}:`, ...(lines.length === 0 ? ['  (none)'] : lines)].join('\n');
  });
  const hidden = ignored.map((line) => `  ${line.text}  (${placeOf(line)})`);
  if (hidden.length > 0) sections.push(['ignored:', ...hidden].join('\n'));
  const notes =
    warnings.length === 0
      ? []
      : [['warnings:', ...warnings.map((one) => `  ${one.replaceAll('\n', '\n  ')}`)].join('\n')];
  return [`mode: ${mode}  (${modeOrigin})`, ...sections, ...notes].join('\n');
}

/** The file and line that set the mode which the settings ended up with. */
export async function modeOriginOf(
  mode: PermissionMode,
  place: {
    readonly cwd: string;
    readonly host: HostEnvironment;
    readonly givenSettings?: readonly JsonObject[] | undefined;
  },
): Promise<string> {
  const layers = [...givenLayers(place.givenSettings), ...(await readLayers('settings', place, []))];
  for (const { source, text, value } of layers) {
    const own = isJsonObject(value.permissions) ? value.permissions.defaultMode : undefined;
    const key =
      own === mode ? 'defaultMode' : value.defaultTrustLevel === undefined ? undefined : 'defaultTrustLevel';
    if (key === undefined) continue;
    const line = lineOfKey(text, key);
    return line === undefined ? source : `${source}:${line}`;
  }
  return mode === optionTable.permissionMode.default ? 'built-in' : 'settings';
}

/** The location of a rule. */
export function placeOf({ origin }: Rule): string {
  return origin.line === undefined ? origin.source : `${origin.source}:${origin.line}`;
}

function repeats(rule: Rule, list: keyof PermissionRules, rules: PermissionRules): string | undefined {
  const first = rules[list].find((other) => other.text === rule.text);
  return first === undefined || first === rule ? undefined : `it repeats ${placeOf(first)}.`;
}

/** A rule covered by a stricter list: the same text, or for a command at least what it allows. */
async function overruled(
  rule: Rule,
  list: keyof PermissionRules,
  { rules, workspace }: { rules: PermissionRules; workspace: Workspace },
): Promise<string | undefined> {
  if (list === 'deny') return undefined;
  const stricter = { deny: rules.deny, ask: list === 'allow' ? rules.ask : [], allow: [] };
  const same = [...stricter.deny, ...stricter.ask].find(
    (other) => other.text === rule.text || (other.tool === rule.tool && other.specifier === undefined),
  );
  if (same !== undefined) return `${same.text} (${placeOf(same)}) is stricter.`;
  const stem = rule.tool === 'Bash' ? stemOf(rule.specifier) : undefined;
  if (stem === undefined) return undefined;
  const request = { tool: 'Bash', access: [{ kind: 'run', command: stem, cwd: workspace.cwd } as const] };
  const decision = await decide({ mode: 'default', rules: stricter, workspace }, request);
  if (decision.rule === undefined || decision.verdict === 'allow') return undefined;
  return `${decision.rule.text} (${placeOf(decision.rule)}) is stricter.`;
}

function stemOf(specifier: string | undefined): string | undefined {
  const stem = specifier?.replace(/(?: \*|:\*)$/, '');
  return stem === undefined || stem.includes('*') ? undefined : stem;
}
