import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, textRedactor } from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { userPaths } from '../host/paths.ts';
import type { AgreedItem, TrustItem } from './trust-item.ts';

/** The decisions about a project, as hashes of items. */
export interface TrustRecord {
  readonly trusted: ReadonlySet<string>;
  /** Approved items, as they were then. */
  readonly agreed: readonly AgreedItem[];
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
  const agreed = entriesOf(project?.trusted).map(agreedItem);
  return { trusted: hashes('trusted'), never: hashes('never'), agreed };
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

/** Gives a worktree the decisions about its repository. They name contents by hash, so what is changed there is asked about. */
export async function inheritTrust(from: string, to: string, host: HostEnvironment): Promise<void> {
  const path = userPaths(host).trust;
  const [source, key] = [await keyOf(from), await keyOf(to)];
  const known = (await readJsonFile(path))?.value ?? {};
  if (source === key || Object.keys(projectIn(known, source)).length === 0) return;
  await updatePrivateFile(path, async () => {
    const current = (await readJsonFile(path))?.value ?? {};
    const projects = isJsonObject(current.projects) ? current.projects : {};
    const inherited = { ...projectIn(current, source), ...projectIn(current, key) };
    return `${JSON.stringify({ ...current, projects: { ...projects, [key]: inherited } }, null, 2)}\n`;
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

/** Only the hash decides; the rest shows what was approved and what changed. */
function entryOf({ kind, name, hash, content, scripts = [] }: TrustItem): JsonObject {
  const isShort = content.length <= longestKept && scripts.length <= mostScripts;
  return {
    kind,
    name,
    hash,
    since: new Date().toISOString(),
    ...(isShort
      ? { content: textRedactor()(content), scripts: scripts.map(([path, sum]) => [path, sum]) }
      : {}),
  };
}

const longestKept = 10_000;
const mostScripts = 50;

function agreedItem({ kind, name, hash, content, scripts }: JsonObject): AgreedItem {
  const pairs = Array.isArray(scripts) ? scripts.filter(isPair) : [];
  return {
    kind: kind as TrustItem['kind'],
    name: String(name),
    hash: String(hash),
    ...(typeof content === 'string' ? { content } : {}),
    ...(pairs.length === 0 ? {} : { scripts: pairs }),
  };
}

function isPair(value: JsonValue): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
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
