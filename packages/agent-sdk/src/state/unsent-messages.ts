import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  either,
  errorMessage,
  exactly,
  guard,
  list,
  type MessageQueue,
  makeDirectories,
  object,
  orElse,
  parseJson,
  type QueuedMessage,
  type StateKey,
  text,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import type { Conversation, SessionHandle } from '@robota-sdk/agent-sessions';

type Contents = readonly (readonly UserContent[])[];

interface Unsent {
  readonly steering: Contents;
  readonly followUp: Contents;
  /** Attachments of the messages. */
  readonly reminders: Contents;
  /** Input that the front end queues. */
  readonly entered: readonly string[];
}

const nothing: Unsent = { steering: [], followUp: [], reminders: [], entered: [] };

/** Stores queued input in `queue.json` of a session, so that another process can restore it after a crash. */
export class UnsentMessages {
  #file: string | undefined;
  #hasStarted = () => false;
  #onProblem: (message: string) => void = () => {};
  #queue: MessageQueue | undefined;
  #entered: readonly string[] = [];
  /** Input of an earlier process that was not restored; undefined until the file was read. */
  #left: Unsent | undefined;
  #stored = '';
  /** Queued messages, including those that left the queue and are not in the session yet. */
  #steering = new Set<QueuedMessage['content']>();
  #followUp = new Set<QueuedMessage['content']>();

  /** Stores the queue of a session whenever it changes. */
  follow(conversation: Conversation, handle: SessionHandle): void {
    if (handle.directory === undefined || handle.readOnly) return;
    this.#file = join(handle.directory, 'queue.json');
    if (handle.leafId === null) this.#left = nothing;
    this.#hasStarted = () => handle.leafId !== null;
    this.#onProblem = (message) => conversation.notify({ level: 'warning', text: message });
    this.#queue = conversation.queue;
    this.#queue.onChange(() => this.#save());
    conversation.subscribe(({ type }) => {
      if (type === 'queue-change' || type === 'run-end') this.settle();
      else if (type === 'message-append') this.#save();
    });
  }

  /** Also stores input that the front end queues itself. */
  hold(entered: readonly string[]): void {
    this.#entered = entered;
    this.#save();
  }

  /**
   * Restores the input of an earlier process: to the queue if its run resumes. Returns the texts that belong into the
   * editor; the file has them until the next message.
   */
  restore({ toQueue }: { readonly toQueue: boolean }): readonly string[] {
    const { steering, followUp, reminders, entered } = this.#read();
    this.#left = nothing;
    if (!toQueue) return [...[...steering, ...followUp].map(textOf), ...entered];
    for (const content of steering) this.#queue?.steer(content);
    for (const content of followUp) this.#queue?.follow(content);
    for (const content of reminders) this.#queue?.remind(content);
    return entered;
  }

  /** Forgets messages that left the queue: the session has them, or the user took them back. */
  settle(): void {
    this.#steering.clear();
    this.#followUp.clear();
    this.#save();
  }

  #save(): void {
    const queue = this.#queue;
    if (!queue || !this.#hasStarted()) return;
    const left = this.#read();
    for (const { content } of queue.steering) this.#steering.add(content);
    for (const { content } of queue.followUp) this.#followUp.add(content);
    // Stored messages are in the session already.
    const reminders = queue.reminders.flatMap(({ content, message }) => (message ? [] : [content]));
    const steering = [...left.steering, ...this.#steering];
    const followUp = [...left.followUp, ...this.#followUp];
    const entered = [...left.entered, ...this.#entered];
    const isEmpty = steering.length + followUp.length + entered.length === 0;
    const unsent: Unsent = { steering, followUp, reminders: [...left.reminders, ...reminders], entered };
    this.#write(isEmpty ? '' : `${JSON.stringify({ version: 1, ...unsent })}\n`);
  }

  #read(): Unsent {
    if (this.#left) return this.#left;
    const file = this.#file;
    this.#stored = file === undefined ? '' : orElse(() => readFileSync(file, 'utf8'), '');
    const stored = parseJson(this.#stored);
    this.#left = isUnsent(stored) ? stored : nothing;
    return this.#left;
  }

  /** The queue stays in memory if it cannot be written. */
  #write(stored: string): void {
    if (this.#file === undefined || stored === this.#stored) return;
    this.#stored = stored;
    try {
      if (stored === '') return rmSync(this.#file, { force: true });
      makeDirectories(dirname(this.#file), 0o700);
      const temporary = `${this.#file}.tmp`;
      writeFileSync(temporary, stored, { mode: 0o600, flush: true });
      renameSync(temporary, this.#file);
    } catch (thrown) {
      this.#onProblem(
        `Queued messages cannot be saved (${errorMessage(thrown)}). They would be lost in a crash.`,
      );
    }
  }
}

/** The queued input of a session. */
export const unsentMessages: StateKey<UnsentMessages> = {
  name: 'unsentMessages',
  create: () => new UnsentMessages(),
};

const isUnsent = guard<Unsent>(() => {
  const image = object({ type: exactly('image'), mimeType: text, data: text });
  const contents = list(list(either(object({ type: exactly('text'), text }), image)));
  return object({ steering: contents, followUp: contents, reminders: contents, entered: list(text) });
});
