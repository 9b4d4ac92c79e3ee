import { AgentError, type Message, type ThinkingLevel, thinkingLevels } from '@robota-sdk/agent-core';
import { type ParkedWait, parkedOn } from '../compaction/parked-run.ts';
import type { ConversationOptions } from '../compaction/session-options.ts';
import type { SessionTotals } from '../entry/session-totals.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import type { SessionStorePort } from '../store/session-store.ts';
import type { ExportedSession } from './exported-session.ts';
import { modelOn } from './model-on.ts';
import { leavesWork, type MoveResult, moveLeaf } from './move-leaf.ts';
import { SessionTree } from './session-tree.ts';

/** Services the branches need from their session. */
export interface BranchServices {
  readonly handle: SessionHandle;
  /** True if others can find the session after this process has ended. */
  readonly isKept: boolean;
  /** As they are now. */
  options(): ConversationOptions;
  /** Runs work exclusively; throws while another activity runs. */
  exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Continues the conversation from here. */
  adopt(arrival: Arrival): Promise<void>;
}

/** The state of the session after a move. */
interface Arrival {
  readonly from: string | null;
  readonly messages: Message[];
  readonly thinking: ThinkingLevel | undefined;
  readonly used: SessionTotals | undefined;
}

/** The tree of a session and its name: to inspect, label and move. */
export class SessionBranches {
  readonly #parts: BranchServices;

  constructor(parts: BranchServices) {
    this.#parts = parts;
  }

  /** The name of the session. */
  get name(): string | undefined {
    return this.#parts.handle.name;
  }

  /** Number of messages by the user and models, on all branches. */
  get messageCount(): number {
    return this.#parts.handle.messageCount;
  }

  /** The session that this one is a copy of. */
  get copyOf(): string | undefined {
    return this.#parts.handle.header.parentSession;
  }

  /** The current entry of the conversation; null before the first. */
  get leafId(): string | null {
    return this.#parts.handle.leafId;
  }

  /** The entry of a message; undefined if it has none. */
  entryIdOf(messageId: string): string | undefined {
    return this.#parts.handle.entryIdOf(messageId);
  }

  /** The wait for a limit that an earlier process did not finish. */
  get parked(): ParkedWait | undefined {
    const { handle, options } = this.#parts;
    return parkedOn(handle, options().models);
  }

  /** The session for an export; undefined if it is not stored. */
  get exported(): ExportedSession | undefined {
    return this.#parts.handle;
  }

  /** Names the session; an empty name removes it. Returns false if the file cannot be written now. */
  async setName(name: string): Promise<boolean> {
    this.#assertKept();
    return this.#parts.handle.setName(name);
  }

  /** Labels an entry; an empty label removes it. */
  async setLabel(entryId: string, label: string): Promise<void> {
    await this.#having(entryId).setLabel(entryId, label);
  }

  /** Every branch as it is now. */
  tree(): SessionTree {
    return new SessionTree(this.#parts.handle);
  }

  /** The model of the current branch, as `vendor/id`; undefined if unknown. */
  get model(): string | undefined {
    return modelOn(this.#parts.handle);
  }

  /** True if moving to another entry abandons work that a summary could keep. */
  leavesWork(to: string | null): boolean {
    return leavesWork(this.#having(to), to);
  }

  /**
   * Moves to another entry, null being the beginning; later messages stay in the file as another branch.
   * Restores the thinking level of that point. The caller restores the model.
   */
  async moveTo(
    to: string | null,
    options: { readonly summarize?: boolean | string } = {},
  ): Promise<MoveResult> {
    const handle = this.#having(to);
    return this.#parts.exclusively(async (signal) => {
      const from = handle.leafId;
      const { models, compactInstructions: instructions, retry } = this.#parts.options();
      const { summarize } = options;
      const result = await moveLeaf(handle, {
        to,
        signal,
        choice: models[0],
        summarize,
        instructions,
        retry,
      });
      const thinking = thinkingOn(handle);
      await this.#parts.adopt({ from, messages: handle.messages(), thinking, used: result.used });
      return result;
    });
  }

  /** Copies the session with all its branches. Default: with the same leaf. Returns the id of the copy. */
  async fork(store: SessionStorePort, options: { readonly to?: string | null } = {}): Promise<string> {
    this.#assertKept();
    const copy = await store.copy(this.#having(options.to), options);
    await copy.flush();
    await copy.close();
    return copy.id;
  }

  /** The session's lines; throws if they lack the entry. */
  #having(entryId: string | null | undefined): SessionHandle {
    const { handle } = this.#parts;
    if (typeof entryId !== 'string' || handle.entry(entryId)) return handle;
    throw new AgentError('session', `This session has no entry ${entryId}. /tree all shows those it has.`);
  }

  #assertKept(): void {
    if (this.#parts.isKept) return;
    const advice = 'Start without --no-session to have that.';
    throw new AgentError('session', `This session is not saved, so it cannot be named or copied. ${advice}`);
  }
}

function thinkingOn(handle: SessionHandle): ThinkingLevel | undefined {
  const [last] = handle.backwards('thinking_level_change');
  return thinkingLevels.find(
    (known) => last?.type === 'thinking_level_change' && known === last.thinkingLevel,
  );
}
