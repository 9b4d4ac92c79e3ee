import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  homeDirectory,
  keyVariables,
  loadCatalogue,
  orElse,
  robotaDirectories,
} from '@robota-sdk/agent-core';

type Environment = Readonly<Record<string, string | undefined>>;

const secretNames = /(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE|DSN)$/i;
/** Variables of the fleet's database, which the agent must not reach. */
const databaseNames = /^(?:PG[A-Z]+|DATABASE_URL|ROBOTA_FLEET)$/;

/** The environment of an attempt: that of its worker without secrets, but with the keys of models. */
export function attemptEnvironment(env: Environment, home: string): Record<string, string> {
  return variables(env, home, (name, value, isNeeded) => isNeeded || !isSecret(name, value));
}

/** The variables that code of a repository must not see; their values must not stand in a log. */
export function secretVariables(env: Environment, home: string): Record<string, string> {
  return variables(env, home, (name, value, isNeeded) =>
    isNeeded ? secretNames.test(name) : isSecret(name, value),
  );
}

type Choice = (name: string, value: string, isNeeded: boolean) => boolean;

function variables(env: Environment, home: string, isWanted: Choice): Record<string, string> {
  const needed = modelVariables(configFolder(env, home));
  const wanted = (entry: readonly [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && isWanted(entry[0], entry[1], needed.has(entry[0]));
  return Object.fromEntries(Object.entries(env).filter(wanted));
}

function isSecret(name: string, value: string): boolean {
  return secretNames.test(name) || databaseNames.test(name) || hasPassword(value);
}

function hasPassword(value: string): boolean {
  return value.includes('://') && URL.canParse(value) && new URL(value).password !== '';
}

/** Variables that lead an attempt to the folders of its worker: `ROBOTA_HOME`, or those of XDG as they are. */
export function folderVariables(env: Environment, home: string): Record<string, string> {
  return configFolder(env, home) === home ? { ROBOTA_HOME: home } : {};
}

/** The settings that belong to a fleet's folder; with XDG they are in another one. */
function configFolder(env: Environment, home: string): string {
  const { data, config } = robotaDirectories({ env, home: homeDirectory() });
  return data === home ? config : home;
}

/** Variables of vendors' keys, and those that the user's own files name for a model. */
function modelVariables(home: string): ReadonlySet<string> {
  const { vendors } = loadCatalogue();
  const written = ['settings.json', 'models.json', 'auth.json'].flatMap((name) =>
    // A key may be the mere name of a variable.
    [...textOf(join(home, name)).matchAll(/(?:\$ENV:|"apiKey"\s*:\s*")(\w+)/g)].map(
      ([, variable = '']) => variable,
    ),
  );
  return new Set([...keyVariables(vendors), ...written]);
}

function textOf(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}
