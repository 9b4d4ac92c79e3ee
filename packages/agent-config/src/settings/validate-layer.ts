import { AgentError, endSentence, errorMessage, isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { parseSandbox } from '@robota-sdk/agent-tools';
import { lineOfPath } from '../file/read-json.ts';
import { languageProblem } from '../options/language-problem.ts';
import {
  fitToSchema,
  type KeyPath,
  pathText,
  type SchemaProblem,
  unknownKeys,
} from '../options/schema-walk.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { settingsSchema } from '../options/settings-schema.ts';
import { closed, closedText } from './closed-layer.ts';

/** Settings whose parts are read elsewhere, where a bad one costs only itself; here only their outer shape counts. */
const outerShapes: Readonly<Record<string, JsonObject>> = {
  model: { type: ['string', 'object'] },
  models: { type: 'object' },
  hooks: { type: 'object' },
  sandbox: { type: ['string', 'object'] },
};

const checkedSchema: JsonObject = {
  ...settingsSchema,
  properties: { ...settingsSchema.properties, ...outerShapes },
};

export interface ValidateOptions {
  readonly warnings: string[];
  /** True if a mismatch in a file of ours is an error, so that nothing starts with it. */
  readonly mayRefuse: boolean;
}

/**
 * Checks a file against the schema of the settings. In our own files a mismatch is an error; in those of other tools and of
 * a project that is about to be used it costs that setting, and where it hits rules, every call is asked about.
 */
export function validateLayer(layer: SettingsLayer, { warnings, mayRefuse }: ValidateOptions): SettingsLayer {
  const refuses = mayRefuse && isOurs(layer);
  const misnamed = isOurs(layer) ? misnamedGuards(layer) : [];
  if (refuses && misnamed[0] !== undefined)
    throw new AgentError('config', `${misnamed[0]} Correct it, so that it counts.`);
  warnings.push(...misnamed.map((message) => `${message} ${closedText}`));
  if (isOurs(layer)) warnings.push(...strangers(layer));
  const { value, problems } = fitToSchema(layer.value, checkedSchema);
  const report = (message: string, effect = 'It is ignored.') => {
    if (refuses) throw new AgentError('config', `${endSentence(message)} Correct it, or take it out.`);
    warnings.push(`${endSentence(message)} ${effect}`);
  };
  for (const { path, message } of problems.map(withoutSecrets))
    report(
      `${placeOf(layer, path)}: ${pathText(path)}: ${message}`,
      mayHoldGuards(path) ? closedText : undefined,
    );
  const fitting = isJsonObject(value) ? value : {};
  const complaints = { sandbox: complaintAboutSandbox(fitting), language: complaintAboutLanguage(fitting) };
  const wrong = Object.entries(complaints).filter(([, complaint]) => complaint !== undefined);
  for (const [key, complaint] of wrong) report(`${placeOf(layer, [key])}: ${complaint}`);
  const used = Object.fromEntries(
    Object.entries(fitting).filter(([key]) => !wrong.some(([each]) => each === key)),
  );
  const isOpen = misnamed.length === 0 && !problems.some(({ path }) => mayHoldGuards(path));
  return { ...layer, value: isOpen ? used : closed(used) };
}

/** True if deny or ask rules stood in what did not fit. */
function mayHoldGuards([first, second]: KeyPath): boolean {
  return first === 'permissions' && second !== 'allow' && second !== 'additionalDirectories';
}

function complaintAboutLanguage({ language }: JsonObject): string | undefined {
  if (typeof language !== 'string' || language.includes('$ENV:')) return undefined;
  const problem = languageProblem(language);
  return problem && `language: ${problem}`;
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

/** The value in place of a key may be a secret. */
export function withoutSecrets({ path, message }: SchemaProblem): SchemaProblem {
  const mayHoldKey = path.some((part) => keyHolders.has(String(part)));
  return { path, message: mayHoldKey ? message.replace(/, got .*$/s, '') : message };
}

const keyHolders: ReadonlySet<string> = new Set([
  'apiKeys',
  'apiKey',
  'baseUrls',
  'provider',
  'models',
  'model',
  'env',
]);

/** Reports unused keys, even deep in the file; names of hooks are checked by the hook reader. */
function strangers(layer: SettingsLayer): string[] {
  return unknownKeys(layer.value, settingsSchema)
    .filter(({ path, near }) => path[0] !== 'hooks' && path[0] !== 'sandbox' && !isMisnamedGuard(path, near))
    .map(({ path, near }) => `${placeOf(layer, path)}: ${noSuchSetting(path, near)}`);
}

/** Says that there is no such setting, and which one was likely meant. */
export function noSuchSetting(path: KeyPath, near: string | undefined): string {
  const hint =
    near === undefined ? 'It is ignored.' : `Did you mean "${pathText([...path.slice(0, -1), near])}"?`;
  return `there is no setting "${pathText(path)}". ${hint}`;
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

function misnamedGuards(layer: SettingsLayer): string[] {
  return unknownKeys(layer.value, settingsSchema).flatMap(({ path, near }) => {
    if (!isMisnamedGuard(path, near)) return [];
    return [`${placeOf(layer, path)}: ${noSuchSetting(path, near)}`];
  });
}

function isMisnamedGuard(path: KeyPath, near: string | undefined): boolean {
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
