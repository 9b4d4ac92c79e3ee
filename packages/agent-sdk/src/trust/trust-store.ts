import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { readJsonFile } from '../config/read-json.ts';
import { updatePrivateFile } from '../config/update-private-file.ts';
import type { HostEnvironment } from '../dialects.ts';
import { userPaths } from '../paths.ts';
import type { TrustItem } from './trust-item.ts';

/** What a person decided about a project, as hashes of items. */
export interface TrustRecord {
  readonly trusted: ReadonlySet<string>;
  /** What was agreed to, by kind and name, as it may have been another then. */
  readonly names: ReadonlySet<string>;
  /** Not to be run and not to be mentioned. */
  readonly never: ReadonlySet<string>;
}

/** Decisions to be kept. */
export interface TrustDecision {
  readonly trust: readonly TrustItem[];
  readonly never: readonly TrustItem[];
  /** All there is now: what was decided about anything else is forgotten. Without it nothing is forgotten. */
  readonly present?: readonly TrustItem[];
}

const lists = ['trusted', 'never'] as const;

/** Reads what was decided about a project, which is known by its real path, however it was reached. */
export async function readTrust(cwd: string, host: HostEnvironment): Promise<TrustRecord> {
  const file = await readJsonFile(userPaths(host).trust);
  const project = file && projectIn(file.value, await keyOf(cwd));
  const hashes = (list: (typeof lists)[number]) =>
    new Set(entriesOf(project?.[list]).map(({ hash }) => String(hash)));
  const names = new Set(entriesOf(project?.trusted).map(({ kind, name }) => `${kind} ${name}`));
  return { trusted: hashes('trusted'), never: hashes('never'), names };
}

/** Keeps decisions about a project in the user's `trust.json`. */
export async function rememberTrust(
  cwd: string,
  decision: TrustDecision,
  host: HostEnvironment,
): Promise<void> {
  const path = userPaths(host).trust;
  const key = await keyOf(cwd);
  await updatePrivateFile(path, async () => {
    const known = (await readJsonFile(path))?.value ?? {};
    const projects = isJsonObject(known.projects) ? known.projects : {};
    const project = withDecision(projectIn(known, key), decision);
    return `${JSON.stringify({ ...known, projects: { ...projects, [key]: project } }, null, 2)}\n`;
  });
}

function withDecision(project: JsonObject, { trust, never, present }: TrustDecision): JsonObject {
  const decided = new Set([...trust, ...never].map(({ hash }) => hash));
  const there = present && new Set(present.map(({ hash }) => hash));
  const kept = (list: (typeof lists)[number]) =>
    entriesOf(project[list]).filter(
      ({ hash }) => !decided.has(String(hash)) && (there?.has(String(hash)) ?? true),
    );
  return {
    trusted: [...kept('trusted'), ...trust.map(entryOf)],
    never: [...kept('never'), ...never.map(entryOf)],
  };
}

/** Kind, name and time are for people who look into the file. */
function entryOf({ kind, name, hash }: TrustItem): JsonObject {
  return { kind, name, hash, since: new Date().toISOString() };
}

function projectIn({ projects }: JsonObject, key: string): JsonObject {
  const project = isJsonObject(projects) && Object.hasOwn(projects, key) ? projects[key] : undefined;
  return isJsonObject(project) ? project : {};
}

function entriesOf(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** One record for a directory, whether it is reached by a link, with a slash at its end or in another case. */
async function keyOf(cwd: string): Promise<string> {
  const path = resolve(cwd);
  return realpath(path).catch(() => path);
}
