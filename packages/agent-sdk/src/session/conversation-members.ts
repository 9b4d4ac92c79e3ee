import { type Settings, valueAt } from '@robota-sdk/agent-config';
import type {
  JsonObject,
  Message,
  MessageQueue,
  Model,
  Notice,
  ThinkingLevel,
  UserContent,
} from '@robota-sdk/agent-core';
import {
  AgentError,
  checkArguments,
  checked,
  isPermissionMode,
  objectInstance,
} from '@robota-sdk/agent-core';
import type { SessionMcp } from '@robota-sdk/agent-resources';
import type {
  Checkpoints,
  CompactionResult,
  Conversation,
  ModelDependentOptions,
  SessionBranches,
  SessionContext,
  SessionTotals,
} from '@robota-sdk/agent-sessions';
import { type Todo, todos } from '@robota-sdk/agent-tools';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { StopWatching } from '../settings/watch-settings.ts';
import { type UnsentMessages, unsentMessages } from '../state/unsent-messages.ts';
import { BackgroundWork } from '../tasks/background-work.ts';
import type { SessionServices } from './session-services.ts';

const jsonObject = checked(objectInstance, 'an object', (value) => JSON.stringify(value) !== undefined);

/** The conversation of a session and its settings, member by member. */
export abstract class ConversationMembers extends BackgroundWork {
  protected abstract readonly services: SessionServices;
  #stopWatching: StopWatching | undefined;

  protected get conversation(): Conversation {
    return this.services.conversation;
  }

  get id(): string {
    return this.conversation.id;
  }

  get model(): Model {
    return this.conversation.model;
  }

  /** The model and its fallbacks, each with its provider. */
  get models(): Conversation['models'] {
    return this.conversation.models;
  }

  get systemMessage(): string {
    return this.conversation.systemMessage;
  }

  get hooks(): Conversation['hooks'] {
    return this.conversation.hooks;
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

  /** Usage and cost by turn, and the remaining budget. */
  get spending(): Conversation['spending'] {
    return this.conversation.spending;
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

  /** Queued input as it is stored. */
  get unsent(): UnsentMessages {
    return this.conversation.state.get(unsentMessages);
  }

  /** The folder for long outputs. */
  get outputDir(): string {
    return this.conversation.outputDir;
  }

  /** The settings in force, and the way to change them; undefined if a program supplied them. */
  get live(): LiveSettings | undefined {
    return this.services.live;
  }

  get settings(): Settings | undefined {
    return this.live?.config.settings;
  }

  /** Puts settings above those of the files; throws if they cannot be used. */
  async applySettings(settings: JsonObject): Promise<void> {
    checkArguments('InteractiveSession.applySettings', { settings: [settings, jsonObject] });
    if (!this.live) throw new AgentError('session', 'The settings of this session cannot change.');
    const mode = valueAt(settings, ['permissions', 'defaultMode']);
    const { permissions } = this.services;
    const before = permissions.mode;
    // A later request overrides a mode that was chosen before.
    if (isPermissionMode(mode)) permissions.choose(mode);
    await this.live.give(settings).catch((thrown: unknown) => {
      permissions.mode = before;
      throw thrown;
    });
  }

  /** Applies changes of the settings files from now on. */
  watchSettings(): void {
    this.#stopWatching ??= this.live?.watch((text) => this.notify({ level: 'info', text }));
  }

  protected stopWatching(): void {
    this.#stopWatching?.();
  }

  get mcp(): SessionMcp {
    return this.services.mcp;
  }

  /** For `/rewind`; undefined if the session is not saved. */
  get checkpoints(): Checkpoints | undefined {
    return this.services.checkpoints;
  }

  get messages(): readonly Message[] {
    return this.conversation.messages;
  }

  /** The model's current todo list. */
  get todos(): readonly Todo[] {
    return this.conversation.state.get(todos).items;
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
