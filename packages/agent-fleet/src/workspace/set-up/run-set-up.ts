import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite, flag, guard, list, object, parseJson, text } from '@robota-sdk/agent-core';
import type { CommandOptions } from '../../contract/attempt-workspace.ts';
import type { FleetCommandResult } from '../../contract/task.ts';
import { TaskFailure } from '../../contract/task-failure.ts';
import type { Git } from '../git/git.ts';
import { withLock } from '../tree/file-lock.ts';
import { readTree, restoreTree, type WorktreeSnapshots } from '../tree/snapshots.ts';
import { findLinkTo, findTextInFiles } from './find-text-in-files.ts';
import { SetUpCache } from './set-up-cache.ts';
import { isDependency, setUpKeys } from './set-up-key.ts';

export interface SetUp {
  readonly place: WorktreeSnapshots;
  readonly directory: string;
  /** Our own directory about the worktree. */
  readonly own: string;
  /** The directory of the cache. */
  readonly cache: string;
  readonly command: string;
  readonly options: CommandOptions;
  /** Variables of this process that the command sees. */
  readonly secrets: Readonly<Record<string, string>>;
  run(): Promise<FleetCommandResult>;
  note(text: string): void;
}

/** The state of the set-up of a worktree, for the case that this process dies. */
interface SetUpState {
  readonly command: string;
  readonly isDone: boolean;
  /** Files that were there before it. */
  readonly before: readonly string[];
}

/** Prepares a worktree: from the cache, or by the command, whose files are then kept for later worktrees. */
export async function runSetUp(setUp: SetUp): Promise<FleetCommandResult | 'cached'> {
  const state = await readState(setUp);
  if (state?.isDone === true && state.command === setUp.command) return 'cached';
  // The process that ran it was killed: nothing that it left half made may stay.
  if (state?.isDone === false) await removeMade(setUp, state.before);
  const { tree } = await readTree(setUp.place);
  const keys = await setUpKeys(setUp.place.git, setUp.command, tree);
  const cache = new SetUpCache(setUp.cache);
  const work = () => useOrRun({ ...setUp, keys, tree, store: cache });
  if (cache.isUseless(keys.locks)) return work();
  return withLock(cache.lockFile(keys.locks), setUp.options.signal, work);
}

interface KeyedSetUp extends SetUp {
  readonly keys: Awaited<ReturnType<typeof setUpKeys>>;
  readonly tree: string;
  readonly store: SetUpCache;
}

async function useOrRun(setUp: KeyedSetUp): Promise<FleetCommandResult | 'cached'> {
  const { store, keys, directory, place, command, options } = setUp;
  const before = await othersIn(place.git);
  await writeState(setUp, { command, isDone: false, before });
  for (const key of [keys.tree, keys.locks])
    if (await store.restore(key, directory, options.signal)) {
      await writeState(setUp, { command, isDone: true, before });
      return 'cached';
    }
  const result = await setUp.run();
  if (result.exitCode !== 0) {
    await undo(setUp, before);
    return result;
  }
  const made = (await othersIn(place.git)).filter((path) => !before.includes(path));
  await refuseSecrets(setUp, made, before);
  await keepMade(setUp, made);
  await writeState(setUp, { command, isDone: true, before });
  return result;
}

/** Keeps the made files if they are good for other worktrees too. */
async function keepMade(setUp: KeyedSetUp, made: readonly string[]): Promise<void> {
  const { store, keys, directory, options, place } = setUp;
  const { signal } = options;
  const visible = made.length === 0 ? '' : await visibleOf(place.git, made);
  if (visible !== '')
    setUp.note(`The set-up made files that git does not ignore, so they are part of the result: ${visible}.`);
  // Files that were only touched are not changed.
  await place.git.run(['update-index', '-q', '--ignore-submodules', '--refresh'], { accepted: [1] });
  const changed = await place.git.fields(['diff-files', '-z', '--name-only', '--ignore-submodules=all']);
  const search = { directory, entries: made, signal };
  const reason =
    changed.length > 0
      ? `it changed files of the repository, such as ${changed[0]}`
      : mention((await findTextInFiles({ ...search, texts: [directory] })) ?? (await findLinkTo(search)));
  if (reason !== undefined) {
    setUp.note(`The set-up runs for each attempt: ${reason}.`);
    return store.markUseless(keys.locks);
  }
  const key = made.every(isDependency) ? keys.locks : keys.tree;
  await store.keep(key, directory, { entries: made, signal });
}

function mention(file: string | undefined): string | undefined {
  return file === undefined ? undefined : `${file} names its directory`;
}

/** A few of the made files that a snapshot would hold. */
async function visibleOf(git: Git, made: readonly string[]): Promise<string> {
  const untracked = await git.fields(['ls-files', '-z', '--others', '--exclude-standard', '--directory']);
  return untracked
    .filter((path) => made.includes(withoutSlash(path)))
    .slice(0, 5)
    .join(', ');
}

/** Shorter values stand in many files by chance. */
const shortestSecret = 8;

/** The variables of a set-up are for it alone: a file with one of their values would hand it to the agent. */
async function refuseSecrets(
  setUp: KeyedSetUp,
  made: readonly string[],
  before: readonly string[],
): Promise<void> {
  const { directory, options, place, secrets } = setUp;
  const own = Object.values(options.env ?? {});
  const texts = [...own, ...Object.values(secrets).filter((value) => value.length >= shortestSecret)];
  if (texts.length === 0) return;
  const changed = await place.git.fields([
    'diff-files',
    '-z',
    '--name-only',
    '--diff-filter=d',
    '--ignore-submodules=all',
  ]);
  const entries = [...made, ...changed, '.git/config'];
  const file = await findTextInFiles({ directory, entries, texts, signal: options.signal });
  if (file === undefined) return;
  await undo(setUp, before);
  throw new TaskFailure(
    'setup-failed',
    `The set-up wrote a secret of its environment into ${file}, where the agent would read it.`,
    'Let programs read the variable instead, or write it outside the repository.',
  );
}

/** Makes the files those before the set-up. */
async function undo(setUp: KeyedSetUp, before: readonly string[]): Promise<void> {
  await removeMade(setUp, before);
  await restoreTree(setUp.place, setUp.tree);
  await rm(stateFile(setUp), { force: true });
}

async function removeMade({ place, directory }: SetUp, before: readonly string[]): Promise<void> {
  const made = (await othersIn(place.git)).filter((path) => !before.includes(path));
  for (const path of made) await rm(join(directory, path), { recursive: true, force: true });
}

/** Everything that git does not track, ignored or not; directories as a whole. */
async function othersIn(git: Git): Promise<string[]> {
  return (await git.fields(['ls-files', '-z', '--others', '--directory', '--no-empty-directory'])).map(
    withoutSlash,
  );
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function stateFile({ own }: SetUp): string {
  return join(own, 'set-up.json');
}

async function readState(setUp: SetUp): Promise<SetUpState | undefined> {
  const written = await readFile(stateFile(setUp), 'utf8').catch(() => undefined);
  if (written === undefined) return undefined;
  const state = parseJson(written);
  if (isState(state)) return state;
  // Without the list of earlier files, those of an unfinished set-up cannot be told apart.
  throw new TaskFailure(
    'setup-failed',
    `${stateFile(setUp)} is damaged, so it is unknown whether the set-up has finished.`,
    'Retry the task; a new attempt starts with a new worktree.',
  );
}

const isState = guard<SetUpState>(() => object({ command: text, isDone: flag, before: list(text) }));

function writeState(setUp: SetUp, state: SetUpState): Promise<void> {
  return atomicWrite(stateFile(setUp), Buffer.from(JSON.stringify(state)));
}
