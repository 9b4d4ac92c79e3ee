import { join } from 'node:path';
import {
  type AfterCall,
  type AllowedCall,
  diskAdvice,
  errorMessage,
  givenFields,
  realPathOf,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { RewindChange } from './change-log.ts';
import type { CheckpointRecorder, UnknownCall } from './checkpoint-recorder.ts';
import { diskProblem, unkeptText } from './disk-problem.ts';
import type { FileState } from './file-state.ts';
import { type OriginalFile, originalFiles, unknownChanges } from './original-files.ts';
import type { PlannedFile } from './plan-rewind.ts';
import type { RewindTree, RewindTurn } from './rewind-turns.ts';

export interface CheckpointsOptions {
  /** The session's own directory. */
  readonly directory: string;
  readonly workspace: Workspace;
  /** Other folders with our own files, whose changes are ignored. */
  readonly own?: readonly string[];
  readonly tree: RewindTree;
  /** Called when something cannot be saved; the run continues. */
  onProblem(message: string): void;
}

/** The effect of a rewind, before it happens. */
export interface RewindPlan {
  readonly files: readonly PlannedFile[];
  /** The new leaf of the conversation; absent if it stays. */
  readonly leaf?: string | null;
  /** The rewind that this one undoes. */
  readonly undoes?: string;
}

export interface RewindOptions {
  /** True if files changed by others are restored too. */
  readonly overwrite: boolean;
  /** Moves the conversation. */
  moveTo(entryId: string | null): Promise<void>;
}

/** The effect of a rewind. */
export interface RewindResult {
  readonly restored: readonly string[];
  /** Files that are as they were before the rewind, with the reason. */
  readonly left: ReadonlyMap<string, string>;
  /** Why the conversation could not be moved. */
  readonly problem?: string;
}

/** Changed lines of a file; absent for binary files. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * The file changes of the agent in a session, and how to undo them. Its modules are loaded before the first
 * change.
 */
export class Checkpoints {
  readonly #options: CheckpointsOptions;
  #recorder: Promise<CheckpointRecorder> | undefined;
  #isBroken = false;
  /** Calls that could not be recorded. */
  #unknown: UnknownCall[] = [];

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  get workspace(): Workspace {
    return this.#options.workspace;
  }

  /** Saves what an allowed call is about to change; await it before the call runs. */
  async beforeExecute(call: AllowedCall): Promise<AfterCall | undefined> {
    if (!call.access.some(({ kind }) => kind === 'write' || kind === 'run')) return undefined;
    try {
      const after = await (await this.#open()).beforeExecute(call);
      this.#isBroken = false;
      return after && (() => this.#guarded(after));
    } catch (thrown) {
      this.#complain(thrown);
      const { leafId: entry } = this.#options.tree;
      const time = new Date().toISOString();
      this.#unknown.push({ entry, time, tool: call.tool.name, why: unkeptText(thrown) });
      await this.#open().catch(() => {});
      return undefined;
    }
  }

  /** The turns of the active branch, oldest first. */
  async turns(): Promise<RewindTurn[]> {
    const recorder = await this.#open();
    const { turnsOf } = await import('./rewind-turns.ts');
    return turnsOf(this.#options.tree, recorder.log.changes, isKeptIn(recorder));
  }

  /** Plans a rewind to before a turn. */
  async planTurn(turn: RewindTurn, scope: { files: boolean; conversation: boolean }): Promise<RewindPlan> {
    const recorder = await this.#open();
    const { changesSince } = await import('./rewind-turns.ts');
    const { planRewind } = await import('./plan-rewind.ts');
    const changes = scope.files ? changesSince(this.#options.tree, recorder.log.changes, turn.entryId) : [];
    const files = planRewind(changes, isKeptIn(recorder));
    return { files, ...(scope.conversation ? { leaf: turn.parentId } : {}) };
  }

  /** Plans the undo of the last rewind; undefined if there is none. */
  async planUndo(): Promise<RewindPlan | undefined> {
    const recorder = await this.#open();
    const rewinds = recorder.log.changes.filter((change) => change.kind === 'rewind');
    // An interrupted undo is repeated: it only does what is missing.
    const undone = new Set(rewinds.flatMap(({ undoes, isComplete }) => (isComplete ? (undoes ?? []) : [])));
    const last = rewinds.findLast(({ id, undoes }) => undoes === undefined && !undone.has(id));
    if (last === undefined) return undefined;
    const { planRewind } = await import('./plan-rewind.ts');
    const later = recorder.log.changes.slice(recorder.log.changes.indexOf(last) + 1);
    const files = planRewind([last], isKeptIn(recorder), later);
    return { files, undoes: last.id, ...(last.leafBefore === undefined ? {} : { leaf: last.leafBefore }) };
  }

  /** Executes a plan after saving what it replaces. */
  async rewind(plan: RewindPlan, { overwrite, moveTo }: RewindOptions): Promise<RewindResult> {
    const { tree } = this.#options;
    const { carryOut } = await import('./carry-out.ts');
    const leafBefore = plan.leaf === undefined ? undefined : tree.leafId;
    const change: Omit<RewindChange, 'id' | 'time' | 'files' | 'kind'> = {
      entry: tree.leafId,
      ...givenFields({ leafBefore, undoes: plan.undoes }),
    };
    const wanted = plan.files.filter(
      ({ status }) => status === 'restore' || (overwrite && status === 'conflict'),
    );
    const others = plan.files.filter((file) => !wanted.includes(file));
    const result = carryOut(await this.#open(), change, wanted);
    const isMoving = plan.leaf !== undefined && plan.leaf !== tree.leafId;
    const problem = isMoving ? await problemOf(() => moveTo(plan.leaf ?? null)) : undefined;
    const left = new Map([...others.map(({ path, why = '' }) => [path, why] as const), ...result.failed]);
    return { restored: result.restored, left, ...(problem === undefined ? {} : { problem }) };
  }

  /** How a planned file would change. */
  async lineCounts(file: PlannedFile): Promise<LineCounts | undefined> {
    const { countChangedLines } = await import('./count-changed-lines.ts');
    return countChangedLines(file, (await this.#open()).store);
  }

  /** The files that changed in this session, as they were before their first change. */
  async originals(): Promise<OriginalFile[]> {
    return originalFiles(await this.#open());
  }

  /** Reasons why some changes of this session are unknown, each once. */
  async unknownChanges(): Promise<string[]> {
    return unknownChanges(await this.#open());
  }

  /** Makes a change of a file that the user requested, so that a rewind includes it. */
  async record(path: string, by: string, work: () => Promise<void>): Promise<void> {
    await (await this.#open()).record(path, by, work);
  }

  /** Releases resources at the end of the session. */
  async close(): Promise<void> {
    await this.#guarded(async () => (await this.#recorder)?.close());
  }

  /** A failed checkpoint must not block a call. */
  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      this.#complain(thrown);
      return undefined;
    }
  }

  /** Reports each period of failures once. */
  #complain(thrown: unknown): void {
    const { directory, onProblem } = this.#options;
    const advice = `The work continues. ${diskAdvice(thrown, directory)}`;
    if (!this.#isBroken)
      onProblem(`Changes cannot be saved for /rewind in ${directory}: ${diskProblem(thrown)}. ${advice}`);
    this.#isBroken = true;
  }

  async #open(): Promise<CheckpointRecorder> {
    const recorder = await this.#opened();
    for (const call of this.#unknown.splice(0)) recorder.noteUnknown(call);
    return recorder;
  }

  async #opened(): Promise<CheckpointRecorder> {
    try {
      return await this.#create();
    } catch (thrown) {
      // It may go better the next time.
      this.#recorder = undefined;
      throw thrown;
    }
  }

  #create(): Promise<CheckpointRecorder> {
    const { directory, workspace, own = [], tree } = this.#options;
    this.#recorder ??= import('./checkpoint-recorder.ts').then(async ({ CheckpointRecorder }) => {
      const recorder = new CheckpointRecorder({
        directory: join(directory, 'checkpoints'),
        workspace,
        own: [directory, ...own].map(realPathOf),
        entry: () => tree.leafId,
      });
      await recorder.recover();
      return recorder;
    });
    return this.#recorder;
  }
}

async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return errorMessage(thrown);
  }
}

function isKeptIn({ store }: CheckpointRecorder): (state: FileState) => boolean {
  return (state) => {
    if (state.kind === 'file') return store.has(state.hash);
    return state.kind === 'absent' || state.kind === 'symlink';
  };
}
