import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AgentError, orElse, realPathOf } from '@robota-sdk/agent-core';
import { isProject } from '../rows/gemini-directory.ts';
import { sessionsIn } from '../rows/opencode-source.ts';
import { SourceFile } from '../source/source-file.ts';
import { detectFormat, type SourceHead } from './detect-format.ts';

/** The sessions found at a path. */
export interface FoundSources {
  readonly files: readonly string[];
  /** Files beside them that are not imported, by reason. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
}

export interface FindOptions {
  /** Only sessions that say they were held in this directory. */
  readonly cwd?: string;
}

/** The session files at a path: the file itself, whatever it is, or all that a directory holds at any depth. */
export async function findSources(path: string, { cwd }: FindOptions = {}): Promise<FoundSources> {
  const absolute = resolve(path);
  const stat = existsSync(absolute) ? statSync(absolute, { throwIfNoEntry: false }) : undefined;
  if (!stat) throw new AgentError('session', `File not found: ${absolute}.`);
  const wanted = cwd === undefined ? undefined : realPathOf(resolve(cwd));
  if (headOf(absolute)?.format === 'database') return databaseSources(absolute, wanted);
  if (!stat.isDirectory()) return { files: [absolute], leftOut: [] };
  const leftOut = new Map<string, number>();
  const found = candidates(absolute);
  const twinOf = twinsAmong(found);
  const moved = await movedToDatabase(absolute);
  const files = found.filter((file) => {
    const reason =
      reasonAgainst(twinOf.get(file) ?? file, wanted) ??
      (twinOf.has(file) || moved.has(basename(file, '.json')) ? twinReason : undefined);
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return { files, leftOut: [...leftOut].map(([reason, count]) => ({ reason, count })) };
}

function candidates(directory: string): string[] {
  return items(directory).flatMap((item) => {
    const path = join(directory, item.name);
    if (item.isDirectory()) return candidates(path);
    return item.isFile() && /\.(jsonl|json|xnl|jsonl\.zst)$/.test(item.name) ? [path] : [];
  });
}

function items(directory: string): Dirent[] {
  return orElse(
    () => readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)),
    [],
  );
}

/** eidolon keeps the same conversation in several files of one directory, and so do we; the first of these is taken. */
const twins = [
  'session.jsonl',
  'history.json',
  'history.xnl',
  'history_parsed_chat.xnl',
  'history_actual.xnl',
];

const twinReason = 'that hold the same conversation as another file beside them (name one to import it)';

/** The file that is taken instead of another, by that other. */
function twinsAmong(files: readonly string[]): ReadonlyMap<string, string> {
  const all = new Set(files);
  const taken = new Map<string, string>();
  for (const file of files) {
    const rank = Math.max(twins.indexOf(basename(file)), 0);
    const before = twins.slice(0, rank).map((twin) => join(dirname(file), twin));
    const twin = before.find((path) => all.has(path));
    if (twin !== undefined) taken.set(file, twin);
  }
  return taken;
}

/** Sessions of opencode that are also in the database that took the place of its files. */
async function movedToDatabase(directory: string): Promise<ReadonlySet<string>> {
  const database = join(directory, '../../opencode.db');
  if (!directory.endsWith(join('storage', 'session')) || !existsSync(database)) return new Set();
  const sessions = await sessionsIn(database).catch(() => []);
  return new Set(sessions.map(({ id }) => id));
}

/** The sessions that a database of opencode holds. */
async function databaseSources(database: string, wanted: string | undefined): Promise<FoundSources> {
  const sessions = await sessionsIn(database);
  const own = sessions.filter(({ isSubagent }) => !isSubagent);
  const files = own.filter(({ cwd }) => wanted === undefined || realPathOf(resolve(cwd)) === wanted);
  const counts = [
    { reason: otherDirectories, count: own.length - files.length },
    { reason: ofSubagents, count: sessions.length - own.length },
  ];
  return { files: files.map(({ path }) => path), leftOut: counts.filter(({ count }) => count > 0) };
}

const otherDirectories = 'of other directories (--all takes them, too)';
const ofSubagents = 'of subagents (name one to import it)';

function reasonAgainst(path: string, cwd: string | undefined): string | undefined {
  const head = headOf(path);
  if (!head) return 'that could not be read';
  if (head.format === 'unknown' || head.format === 'empty') return 'that are not sessions';
  if (head.format === 'robota') return 'of Robota itself';
  if (cwd !== undefined && isElsewhere(head, cwd)) return otherDirectories;
  return head.isSubagent ? ofSubagents : undefined;
}

function isElsewhere({ cwd, projectHash }: SourceHead, wanted: string): boolean {
  if (cwd !== undefined) return realPathOf(resolve(cwd)) !== wanted;
  return projectHash !== undefined && !isProject(wanted, projectHash);
}

function headOf(path: string) {
  try {
    const file = new SourceFile(path);
    try {
      return detectFormat(file);
    } finally {
      file.close();
    }
  } catch {
    return undefined;
  }
}
