import { AgentError } from '@robota-sdk/agent-core';
import type { SandboxAccess } from '@robota-sdk/agent-sdk/front-end';
import type {
  AttemptWorkspace,
  CommandOptions,
  DeliveryRequest,
  DeliveryResult,
  WorkspaceRequest,
} from '../contract/attempt-workspace.ts';
import { LostLeaseError } from '../contract/database.ts';
import type { FleetCommandResult } from '../contract/task.ts';
import { TaskFailure } from '../contract/task-failure.ts';
import { deliverTree } from './deliver/deliver-tree.ts';
import { removeStaleFences } from './deliver/fence.ts';
import { reasonOfUse, removeWorktree } from './gc/collect-garbage.ts';
import { unsavedWork } from './gc/unsaved-work.ts';
import { runTaskCommand } from './run-command.ts';
import { runSetUp } from './set-up/run-set-up.ts';
import { writeDelivered } from './tree/delivered-tree.ts';
import type { FoundWorktree } from './tree/find-worktree.ts';
import type { Mirror } from './tree/mirror.ts';
import type { SnapshotStore } from './tree/snapshot-store.ts';
import {
  dropSnapshot,
  readTree,
  restoreTree,
  type Snapshot,
  takeSnapshot,
  type WorktreeSnapshots,
} from './tree/snapshots.ts';
import { indexFile } from './tree/working-copy.ts';
import type { WorkspacePaths } from './tree/workspace-paths.ts';

export interface WorkspaceState {
  readonly request: WorkspaceRequest;
  readonly found: FoundWorktree;
  readonly mirror: Mirror;
  readonly paths: WorkspacePaths;
  readonly snapshots: SnapshotStore | undefined;
  /** The access of commands in the sandbox. */
  access(): Promise<SandboxAccess>;
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables of this process that code of the agent must not see. */
  readonly secrets: Readonly<Record<string, string>>;
}

const mostShown = 6_000;

/** The files of one attempt. Its own calls of git never obey what an agent wrote into the directory. */
export class GitWorkspace implements AttemptWorkspace {
  readonly taskId: string;
  readonly attempt: number;
  readonly directory: string;
  readonly baseCommit: string;
  readonly isNew: boolean;
  readonly readable: readonly string[];
  readonly #files: WorkspaceState;
  readonly #place: WorktreeSnapshots;
  readonly #notes = new Set<string>();

  constructor(files: WorkspaceState) {
    const { request, found, mirror } = files;
    this.#files = files;
    this.taskId = request.taskId;
    this.attempt = request.attempt;
    this.directory = found.place.directory;
    this.baseCommit = found.facts.base.commit;
    this.isNew = found.isNew;
    this.readable = files.readable;
    const index = indexFile(found.place.own);
    this.#place = {
      git: mirror.git.with({ workTree: this.directory, indexFile: index }),
      taskId: this.taskId,
      attempt: this.attempt,
      worktree: found.facts.id,
      memory: found.hold.memory,
    };
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Learns what there is to say about a new directory, and makes its base known to other machines. */
  async start(): Promise<void> {
    const { mirror, request } = this.#files;
    await this.#takeOver();
    if (!this.isNew) return;
    const note = await mirror.uncommittedNote(request.signal);
    if (note !== undefined) this.#notes.add(note);
    await this.#store(this.#files.found.hold.memory.last);
  }

  setUp(command: string, options: CommandOptions): Promise<FleetCommandResult | 'cached'> {
    const { found, paths, access, secrets } = this.#files;
    const env = { HUSKY: '0', ...options.env };
    return this.#inTurn(() =>
      runSetUp({
        place: this.#place,
        directory: this.directory,
        own: found.place.own,
        cache: paths.setUps,
        command,
        options,
        secrets,
        run: () =>
          runTaskCommand({
            command,
            directory: this.directory,
            options: { ...options, env },
            access: async () => withNetwork(await access()),
            secrets,
            // Registries need logins, and the agent has written nothing yet.
            seesSecrets: true,
          }),
        note: (text) => this.#notes.add(text),
      }),
    );
  }

  run(command: string, options: CommandOptions): Promise<FleetCommandResult> {
    const { access, secrets } = this.#files;
    const { directory } = this;
    return runTaskCommand({ command, directory, options, access, secrets, seesSecrets: false });
  }

  snapshot(): Promise<string> {
    return this.#inTurn(async () => {
      const taken = await takeSnapshot(this.#place, () => this.#files.request.assertLease());
      for (const note of taken.notes) this.#notes.add(note);
      // One that is not new may be of a process that ended before it was stored.
      await this.#storeOrDrop(taken);
      return taken.tree;
    });
  }

  restore(tree: string): Promise<void> {
    return this.#inTurn(() => restoreTree(this.#place, tree));
  }

  difference(tree = `${this.baseCommit}^{tree}`): Promise<string> {
    return this.#inTurn(async () => {
      const now = await readTree(this.#place);
      const words = ['diff-tree', '-r', '-p', '--stat', '--no-color', '--no-ext-diff', '--no-textconv'];
      const text = await this.#place.git.text([...words, tree, now.tree]);
      if (text.length <= mostShown) return text;
      return `${text.slice(0, mostShown)}\n[${text.length - mostShown} more characters]`;
    });
  }

  deliver(request: DeliveryRequest): Promise<DeliveryResult> {
    return this.#inTurn(async () => {
      const { mirror, paths, found, env } = this.#files;
      const snapshot = await this.#checkedFiles(request);
      const { tree } = snapshot;
      const result = await deliverTree({
        mirror,
        paths,
        facts: found.facts,
        request,
        snapshot,
        env,
        signal: this.#files.request.signal,
        lease: this.#files.request.lease,
      });
      await writeDelivered(found.place.own, tree);
      return result;
    });
  }

  close(): void {
    this.#files.found.hold.release();
  }

  async remove({ discard = false }: { readonly discard?: boolean } = {}): Promise<void> {
    const { paths, found, env } = this.#files;
    const { place, facts } = found;
    await this.#inTurn(async () => {
      if (discard) await takeSnapshot(this.#place, () => this.#files.request.assertLease());
      const reason =
        (await reasonOfUse(place.directory)) ??
        (await unsavedWork({ paths, place, facts, env, isDiscarded: discard })) ??
        (await removeWorktree(paths, place));
      if (reason !== undefined) throw new AgentError('config', `${place.directory} stays: ${reason}.`);
    });
    this.close();
  }

  /** The files that passed, also where others lie in the directory. */
  async #checkedFiles({ tree, assertLease }: DeliveryRequest): Promise<Snapshot> {
    const found = await takeSnapshot(this.#place, assertLease);
    if (tree === undefined || found.tree === tree) return found;
    if (!(await this.#files.mirror.has(tree, this.#files.request.signal)))
      throw new TaskFailure(
        'repository',
        `The files of task ${this.taskId} that passed are not on this machine.`,
        'Retry the task on the machine that worked on it, or retry it from the start.',
      );
    await restoreTree(this.#place, tree);
    return takeSnapshot(this.#place, assertLease);
  }

  /** Refuses the delivery of an earlier holder that was stopped in the middle of it. */
  async #takeOver(): Promise<void> {
    const { mirror, request, found } = this.#files;
    const { isTakeover = false, lease, signal } = request;
    const { memory } = found.hold;
    if (!isTakeover || lease === undefined || memory.isTakenOver === true) return;
    await removeStaleFences({ mirror, taskId: this.taskId, epoch: lease.epoch, signal });
    memory.isTakenOver = true;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#files.found.hold.inTurn(work);
  }

  /** A snapshot that came too late must not become the start of the task's next holder. */
  async #storeOrDrop(taken: Snapshot): Promise<void> {
    try {
      await this.#store(taken);
    } catch (thrown) {
      if (thrown instanceof LostLeaseError) {
        this.#files.found.hold.memory.last = undefined;
        await dropSnapshot(this.#place, taken);
      }
      throw thrown;
    }
  }

  async #store(last: Snapshot | undefined): Promise<void> {
    const { snapshots, mirror, request, found } = this.#files;
    const { memory } = found.hold;
    if (snapshots === undefined || last === undefined || last.commit === memory.stored) return;
    const { taskId, attempt } = this;
    await request.assertLease();
    await snapshots.save(
      { mirror, taskId, attempt, lease: request.lease, signal: request.signal },
      last,
      this.baseCommit,
    );
    memory.stored = last.commit;
  }
}

/** A set-up fetches what the task needs; the agent and the check have the network that the settings grant. */
function withNetwork({ mode, policy }: SandboxAccess): SandboxAccess {
  return { mode, policy: { ...policy, network: policy.network === 'off' ? 'on' : policy.network } };
}
