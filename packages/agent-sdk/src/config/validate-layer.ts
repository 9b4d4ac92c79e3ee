import {
  AgentError,
  endSentence,
  errorMessage,
  isJsonObject,
  type JsonObject,
  nearest,
} from '@robota-sdk/agent-core';
import { parseSandbox } from '@robota-sdk/agent-tools';
import { languageProblem } from './language-problem.ts';
import { lineOfPath } from './read-json.ts';
import {
  fitToSchema,
  type KeyPath,
  knownKeys,
  pathText,
  type SchemaProblem,
  unknownKeys,
} from './schema/schema-walk.ts';
import { settingsSchema } from './schema/settings-schema.ts';
import type { SettingsLayer } from './settings.ts';

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

/** Checks a file against the schema of the settings. In our own files a mismatch is an error, in others' it costs that setting. */
export function validateLayer(layer: SettingsLayer, warnings: string[]): SettingsLayer {
  if (isOurs(layer)) {
    assertPermissionLists(layer);
    warnings.push(...strangers(layer));
  }
  const { value, problems } = fitToSchema(layer.value, checkedSchema);
  const report = (message: string) => {
    if (isOurs(layer)) throw new AgentError('config', `${endSentence(message)} Correct it, or take it out.`);
    warnings.push(`${endSentence(message)} It is ignored.`);
  };
  for (const { path, message } of problems.map(withoutSecrets))
    report(`${placeOf(layer, path)}: ${pathText(path)}: ${message}`);
  const fitting = isJsonObject(value) ? value : {};
  const complaints = { sandbox: complaintAboutSandbox(fitting), language: complaintAboutLanguage(fitting) };
  const wrong = Object.entries(complaints).filter(([, complaint]) => complaint !== undefined);
  for (const [key, complaint] of wrong) report(`${placeOf(layer, [key])}: ${complaint}`);
  const used = Object.entries(fitting).filter(([key]) => !wrong.some(([each]) => each === key));
  return { ...layer, value: Object.fromEntries(used) };
}

function complaintAboutLanguage({ language }: JsonObject): string | undefined {
  if (typeof language !== 'string' || language.includes('$ENV:')) return undefined;
  const problem = languageProblem(language);
  return problem && `language: ${problem}`;
}

/** The sandbox reads its setting itself; what it could not read would stop every start without saying where it stands. */
function complaintAboutSandbox({ sandbox }: JsonObject): string | undefined {
  // What a variable says is only known when it is put in.
  if (sandbox === undefined || JSON.stringify(sandbox).includes('$ENV:')) return undefined;
  try {
    parseSandbox(sandbox);
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

/** What stands in the place of a key may be one. */
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

/** What nobody reads is said, also deep in the file; the names of hooks are judged where hooks are read. */
function strangers(layer: SettingsLayer): string[] {
  return unknownKeys(layer.value, settingsSchema)
    .filter(({ path }) => path[0] !== 'hooks' && path[0] !== 'sandbox')
    .map(({ path, near }) => `${placeOf(layer, path)}: ${noSuchSetting(path, near)}`);
}

/** Says that there is no such setting, and which one was likely meant. */
export function noSuchSetting(path: KeyPath, near: string | undefined): string {
  const hint =
    near === undefined ? 'It is ignored.' : `Did you mean "${pathText([...path.slice(0, -1), near])}"?`;
  return `there is no setting "${pathText(path)}". ${hint}`;
}

/** A list under a name that is almost one of ours would protect nothing. */
function assertPermissionLists(layer: SettingsLayer): void {
  const { permissions } = layer.value;
  if (!isJsonObject(permissions)) return;
  const permissionKeys = knownKeys(settingsSchema.properties.permissions);
  for (const key of Object.keys(permissions)) {
    const [near] = permissionKeys.includes(key) ? [] : nearest(key, permissionKeys);
    if (near !== undefined) {
      const message = `${placeOf(layer, ['permissions', key])}: "permissions" has no list "${key}". Did you mean "${near}"?`;
      throw new AgentError('config', `${message} Correct it, so that its rules count.`);
    }
  }
}

function isOurs({ dialect }: SettingsLayer): boolean {
  return dialect === 'robota';
}

function placeOf({ source, text }: SettingsLayer, path: KeyPath): string {
  const line = lineOfPath(text, path);
  return line === undefined ? source : `${source}:${line}`;
}
