import type { Settings } from '@robota-sdk/agent-config';
import type {
  Message,
  MessageQueue,
  Model,
  Notice,
  ThinkingLevel,
  UserContent,
} from '@robota-sdk/agent-core';
import type {
  CompactionResult,
  ModelDependentOptions,
  Session,
  SessionBranches,
  SessionContext,
  SessionTotals,
} from '@robota-sdk/agent-sessions';
import { settingsOf, watchSessionSettings } from '../assembly/follow-settings.ts';
import { BackgroundWork } from '../tasks/background-work.ts';

/** The conversation of a session and its settings, member by member. */
export abstract class ConversationMembers extends BackgroundWork {
  protected abstract readonly conversation: Session;

  get id(): string {
    return this.conversation.id;
  }

  get model(): Model {
    return this.conversation.model;
  }

  get thinking(): ThinkingLevel {
    return this.conversation.thinking;
  }

  async setThinking(level: ThinkingLevel): Promise<void> {
    await this.conversation.setThinking(level);
  }

  /** Tools and prompt that go with the current model. */
  get surroundings(): ModelDependentOptions {
    return this.conversation.surroundings;
  }

  /** Token usage and cost of the session. */
  get totals(): SessionTotals {
    return this.conversation.totals;
  }

  get isRunning(): boolean {
    return this.conversation.isRunning;
  }

  /** The entries of the session as a tree. */
  get branches(): SessionBranches {
    return this.conversation.branches;
  }

  /** The model's context: its size, pins, and summarized parts. */
  get context(): SessionContext {
    return this.conversation.context;
  }

  /** Messages that wait for the run. */
  get queue(): MessageQueue {
    return this.conversation.queue;
  }

  /** The folder for long outputs. */
  get outputDir(): string {
    return this.conversation.outputDir;
  }

  /** The settings in force; undefined if a program supplied them. */
  get settings(): Settings | undefined {
    return settingsOf(this.conversation);
  }

  /** Applies changes of the settings files from now on. */
  watchSettings(): void {
    watchSessionSettings(this.conversation);
  }

  get messages(): readonly Message[] {
    return this.conversation.messages;
  }

  notify(notice: Notice): void {
    this.conversation.notify(notice);
  }

  /** Adds a message to the active run. */
  steer(content: readonly UserContent[]): void {
    this.conversation.steer(content);
  }

  /** Sends a message when the active run is over. */
  followUp(content: readonly UserContent[]): void {
    this.conversation.followUp(content);
  }

  async compact(instructions?: string): Promise<CompactionResult> {
    return this.conversation.compact(instructions);
  }

  /** Resolves when no run and no compaction is active. */
  async whenIdle(): Promise<void> {
    await this.conversation.whenIdle();
  }
}
