import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  checked,
  given,
  isJsonObject,
  type JsonObject,
  lazy,
  list,
  object,
  type TypeOf,
  text,
  textRedactor,
  words,
} from '@robota-sdk/agent-core';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { userPaths } from '../host/paths.ts';
import { type AgreedItem, type TrustItem, type TrustKind, trustKinds } from './trust-item.ts';

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

/** Reads what was decided about a project, which is known by its real path, however it was reached. */
export async function readTrust(cwd: string, host: HostEnvironment): Promise<TrustRecord> {
  const known = projectsIn((await readJsonFile(userPaths(host).trust))?.value);
  const { trusted = [], never = [] } = projectIn(known, await keyOf(cwd));
  const hashes = (entries: readonly TrustEntry[]) => new Set(entries.map(({ hash }) => hash));
  return { trusted: hashes(trusted), never: hashes(never), agreed: trusted.flatMap(agreedItem) };
}

/** Keeps decisions about a project in the user's `trust.json`. */
export async function rememberTrust(
  cwd: string,
  decision: TrustDecision,
  host: HostEnvironment,
): Promise<void> {
  const key = await keyOf(cwd);
  await updateProjects(host, (projects) => ({ [key]: withDecision(projectIn(projects, key), decision) }));
}

/** Gives a worktree the decisions about its repository. They name contents by hash, so what is changed there is asked about. */
export async function inheritTrust(from: string, to: string, host: HostEnvironment): Promise<void> {
  const [source, key] = [await keyOf(from), await keyOf(to)];
  const known = projectsIn((await readJsonFile(userPaths(host).trust))?.value);
  if (source === key || Object.keys(projectIn(known, source)).length === 0) return;
  await updateProjects(host, (projects) => ({
    [key]: { ...projectIn(projects, source), ...projectIn(projects, key) },
  }));
}

async function updateProjects(
  host: HostEnvironment,
  change: (projects: JsonObject) => Readonly<Record<string, TrustedProject>>,
): Promise<void> {
  const path = userPaths(host).trust;
  await updatePrivateFile(path, async () => {
    const known = (await readJsonFile(path))?.value;
    const projects = projectsIn(known);
    return `${JSON.stringify({ ...known, projects: { ...projects, ...change(projects) } }, null, 2)}\n`;
  });
}

function withDecision(project: TrustedProject, { trust, never, present }: TrustDecision): TrustedProject {
  const decided = new Set([...trust, ...never].map(({ hash }) => hash));
  const there = present && new Set(present.map(({ hash }) => hash));
  const kept = (entries: readonly TrustEntry[] = []) =>
    entries.filter(({ hash }) => !decided.has(hash) && (there?.has(hash) ?? true));
  return {
    trusted: [...kept(project.trusted), ...trust.map(entryOf)],
    never: [...kept(project.never), ...never.map(entryOf)],
  };
}

/** Only the hash decides; the rest shows what was approved and what changed. */
function entryOf({ kind, name, hash, content, scripts = [] }: TrustItem): TrustEntry {
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

const projectShape = lazy(() => {
  const pair = checked(list(text), 'a path and a sum', ({ length }) => length === 2);
  const shown = { kind: words(...kinds), name: text, since: text, content: text, scripts: list(pair) };
  const entries = list(object({ hash: text }, shown));
  return object({}, { trusted: entries, never: entries });
});
const kinds = Object.keys(trustKinds) as TrustKind[];

type TrustedProject = TypeOf<typeof projectShape>;
type TrustEntry = NonNullable<TrustedProject['trusted']>[number];

function projectsIn({ projects }: JsonObject = {}): JsonObject {
  return isJsonObject(projects) ? projects : {};
}

/** The entries of other projects stay as they are. */
function projectIn(projects: JsonObject, key: string): TrustedProject {
  return (Object.hasOwn(projects, key) && projectShape.parse(projects[key])) || {};
}

function agreedItem({ kind, name, hash, content, scripts = [] }: TrustEntry): AgreedItem[] {
  if (kind === undefined || name === undefined) return [];
  const pairs = scripts.map(([path = '', sum = '']) => [path, sum] as const);
  const seen = pairs.length === 0 ? {} : { scripts: pairs };
  return [{ kind, name, hash, ...given('content', content), ...seen }];
}

/** One record for a directory, whether it is reached by a link, with a slash at its end or in another case. */
async function keyOf(cwd: string): Promise<string> {
  const path = resolve(cwd);
  return realpath(path).catch(() => path);
}
