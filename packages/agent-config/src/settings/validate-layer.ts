import {
  AgentError,
  addSentence,
  describeMismatch,
  describeProblem,
  endSentence,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  meantKey,
  type Problem,
  pathText,
  problemOf,
  Report,
  type ShapeProblem,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { parseSandbox } from '@robota-sdk/agent-tools';
import { lineOfPath } from '../file/read-json.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { settingsShape } from '../options/settings-shape.ts';
import { closed, closedProblem } from './closed-layer.ts';
import { pathInFile } from './translate-layer.ts';

/** Settings whose parts are read elsewhere, where a bad one costs only itself; here only their outer shape counts. */
const readElsewhere: ReadonlySet<string> = new Set(['model', 'models', 'hooks', 'sandbox']);

export interface ValidateOptions {
  readonly problems: Problem[];
  /** True if a mismatch in a file of ours is an error, so that nothing starts with it. */
  readonly mayRefuse: boolean;
}

/**
 * Checks a file against the shape of the settings. In our own files a mismatch is an error; in those of other tools and of
 * a project that is about to be used it costs that setting, and where it hits rules, every call is asked about.
 */
export function validateLayer(layer: SettingsLayer, { problems, mayRefuse }: ValidateOptions): SettingsLayer {
  const refuses = mayRefuse && isOurs(layer);
  const fit = fitted(layer.value);
  const unknown = isOurs(layer) ? fit.problems.filter((each) => each.kind === 'unknown') : [];
  const misnamed = unknown.filter(isMisnamedGuard);
  const described = (found: ShapeProblem) => {
    const path = pathInFile(layer, found.path);
    return describeMismatch({ ...found, path }, { noun: 'setting', source: sourceOf(layer, path) });
  };
  for (const problem of misnamed.map(described)) {
    if (refuses) throw refusal(problem, { effect: 'It would protect nothing.' });
    problems.push(closedProblem({ ...problem, code: 'setting.misnamed' }));
  }
  reportIgnored(layer, fit.problems, problems);
  // The names of hooks are judged where hooks are read.
  const strange = unknown.filter(
    (found) => !misnamed.includes(found) && found.path[0] !== 'hooks' && found.path[0] !== 'sandbox',
  );
  problems.push(...strange.map(described));
  const report = (problem: Problem) => {
    if (refuses) throw refusal(problem);
    problems.push(addSentence(problem, 'The setting is ignored.'));
  };
  const unfit = fit.problems.filter(({ kind }) => kind !== 'unknown');
  const [first, ...more] = unfit.map(described);
  if (refuses && first) throw refusal(first, { others: more });
  for (const found of unfit) {
    if (mayHoldGuards(found.path)) problems.push(closedProblem(described(found)));
    else report(described(found));
  }
  const sandboxProblem = complaintAboutSandbox(layer, fit.value);
  if (sandboxProblem) report(sandboxProblem);
  const { sandbox, ...others } = fit.value;
  const used = sandboxProblem ? others : fit.value;
  const isOpen = misnamed.length === 0 && !unfit.some(({ path }) => mayHoldGuards(path));
  return { ...layer, value: isOpen ? used : closed(used) };
}

/** Names the settings of Claude Code that have no effect, in one warning per file. */
function reportIgnored(
  { dialect, source }: SettingsLayer,
  found: readonly ShapeProblem[],
  problems: Problem[],
): void {
  if (dialect !== 'claude') return;
  const ignored = found.flatMap(({ kind, path }) =>
    kind === 'unknown' && !readElsewhere.has(String(path[0])) ? [pathText(path)] : [],
  );
  if (ignored.length === 0) return;
  const message = sentence`Robota ignores these settings of Claude Code: ${{ settings: ignored.join(', ') }}.`;
  const hint = 'See docs/settings.md for what it reads.';
  problems.push(warning('setting.untranslated', message, { source: { file: source }, hint }));
}

interface Refusal {
  readonly effect?: string;
  /** Other problems of the file, so that all can be corrected at once. */
  readonly others?: readonly Problem[];
}

function refusal(problem: Problem, { effect, others = [] }: Refusal = {}): AgentError {
  const whole = effect === undefined ? problem : addSentence(problem, effect);
  return new AgentError('config', whole.message, {
    ...whole,
    hint: whole.hint ?? 'Correct it, or remove it.',
    details: others.map((other) => endSentence(describeProblem(other))),
  });
}

/** Splits a file into its usable part and its problems. */
function fitted(written: JsonObject): {
  readonly value: JsonObject;
  readonly problems: readonly ShapeProblem[];
} {
  const report = new Report({ lenient: true });
  const value = settingsShape.parse(written, report) as JsonObject | undefined;
  const problems = report.problems.filter(
    ({ kind, path }) => kind === 'unknown' || path.length === 1 || !readElsewhere.has(String(path[0])),
  );
  const raw = Object.entries(written).filter(
    ([key, item]) =>
      readElsewhere.has(key) &&
      item !== null &&
      !problems.some(({ kind, path }) => kind !== 'unknown' && path[0] === key),
  );
  return { value: { ...value, ...(Object.fromEntries(raw) as Record<string, JsonValue>) }, problems };
}

/** True if deny or ask rules stood in what did not fit. */
function mayHoldGuards([first, second]: KeyPath): boolean {
  return first === 'permissions' && second !== 'allow' && second !== 'additionalDirectories';
}

/** The sandbox reads its setting itself; what it could not read would stop every start without saying where it stands. */
function complaintAboutSandbox(layer: SettingsLayer, { sandbox }: JsonObject): Problem | undefined {
  // The value of a variable is only known after expansion.
  if (sandbox === undefined || JSON.stringify(sandbox).includes('$ENV:')) return undefined;
  try {
    parseSandbox(sandbox);
    return undefined;
  } catch (thrown) {
    const { message, hint } = problemOf(thrown);
    const source = sourceOf(layer, ['sandbox']);
    return { code: 'setting.invalid', severity: 'warning', message, hint, source, subject: 'sandbox' };
  }
}

/** Settings that protect the user: under a name that is almost theirs they would protect nothing. */
const guards: ReadonlySet<string> = new Set([
  'permissions',
  'hooks',
  'sandbox',
  'tools',
  'excludeTools',
  'budget',
]);

function isMisnamedGuard(problem: Extract<ShapeProblem, { kind: 'unknown' }>): boolean {
  const { path } = problem;
  const near = meantKey(problem);
  if (near === undefined) return false;
  return path.length === 1 ? guards.has(near) : path.length === 2 && path[0] === 'permissions';
}

function isOurs({ dialect }: SettingsLayer): boolean {
  return dialect === 'robota';
}

function sourceOf({ source, text }: SettingsLayer, path: KeyPath) {
  return { file: source, line: lineOfPath(text, path) };
}
