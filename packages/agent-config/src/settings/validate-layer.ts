import {
  AgentError,
  endSentence,
  errorMessage,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  meantKey,
  pathText,
  problemText,
  Report,
  type ShapeProblem,
} from '@robota-sdk/agent-core';
import { parseSandbox } from '@robota-sdk/agent-tools';
import { lineOfPath } from '../file/read-json.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { settingsShape } from '../options/settings-shape.ts';
import { closed, closedText } from './closed-layer.ts';

/** Settings whose parts are read elsewhere, where a bad one costs only itself; here only their outer shape counts. */
const readElsewhere: ReadonlySet<string> = new Set(['model', 'models', 'hooks', 'sandbox']);

export interface ValidateOptions {
  readonly warnings: string[];
  /** True if a mismatch in a file of ours is an error, so that nothing starts with it. */
  readonly mayRefuse: boolean;
}

/**
 * Checks a file against the shape of the settings. In our own files a mismatch is an error; in those of other tools and of
 * a project that is about to be used it costs that setting, and where it hits rules, every call is asked about.
 */
export function validateLayer(layer: SettingsLayer, { warnings, mayRefuse }: ValidateOptions): SettingsLayer {
  const refuses = mayRefuse && isOurs(layer);
  const { value, problems } = fitted(layer.value);
  const unknown = isOurs(layer) ? problems.filter((each) => each.kind === 'unknown') : [];
  const misnamed = unknown.filter(isMisnamedGuard);
  const said = (problem: ShapeProblem) =>
    `${placeOf(layer, problem.path)}: ${problemText(problem, 'setting')}`;
  if (refuses && misnamed[0])
    throw new AgentError('config', `${said(misnamed[0])} Correct it, so that it counts.`);
  warnings.push(...misnamed.map((problem) => `${said(problem)} ${closedText}`));
  // The names of hooks are judged where hooks are read.
  const strange = unknown.filter(
    (problem) => !misnamed.includes(problem) && problem.path[0] !== 'hooks' && problem.path[0] !== 'sandbox',
  );
  warnings.push(...strange.map(said));
  const report = (message: string, effect = 'It is ignored.') => {
    if (refuses) throw new AgentError('config', `${endSentence(message)} Correct it, or take it out.`);
    warnings.push(`${endSentence(message)} ${effect}`);
  };
  const unfit = problems.filter(({ kind }) => kind !== 'unknown');
  for (const problem of unfit) {
    const { path } = problem;
    const effect = mayHoldGuards(path) ? closedText : undefined;
    report(`${placeOf(layer, path)}: ${pathText(path)}: ${problemText(problem)}`, effect);
  }
  const complaint = complaintAboutSandbox(value);
  if (complaint !== undefined) report(`${placeOf(layer, ['sandbox'])}: ${complaint}`);
  const { sandbox, ...others } = value;
  const used = complaint === undefined ? value : others;
  const isOpen = misnamed.length === 0 && !unfit.some(({ path }) => mayHoldGuards(path));
  return { ...layer, value: isOpen ? used : closed(used) };
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

/** Whether deny or ask rules stood in what did not fit. */
function mayHoldGuards([first, second]: KeyPath): boolean {
  return first === 'permissions' && second !== 'allow' && second !== 'additionalDirectories';
}

/** The sandbox reads its setting itself; what it could not read would stop every start without saying where it stands. */
function complaintAboutSandbox({ sandbox }: JsonObject): string | undefined {
  // The value of a variable is only known after expansion.
  if (sandbox === undefined || JSON.stringify(sandbox).includes('$ENV:')) return undefined;
  try {
    parseSandbox(sandbox);
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
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

function placeOf({ source, text }: SettingsLayer, path: KeyPath): string {
  const line = lineOfPath(text, path);
  return line === undefined ? source : `${source}:${line}`;
}
