import { Listeners } from '../extension/listeners.ts';
import type { UserContent } from '../message/content.ts';
import type { UserMessage } from '../message/message.ts';

/** `one-at-a-time`: a queue returns one message; `all`: all queued messages. */
type DrainMode = 'one-at-a-time' | 'all';

export interface QueuedMessage {
  readonly content: readonly UserContent[];
  /** The stored message, if it exists already. */
  readonly message?: UserMessage;
}

interface QueueOptions {
  readonly steeringMode?: DrainMode;
  readonly followUpMode?: DrainMode;
}

/**
 * Messages sent during a run: steering joins after the current batch of tools, follow-ups when the agent would stop.
 */
export class MessageQueue {
  #steering: QueuedMessage[] = [];
  #followUp: QueuedMessage[] = [];
  #reminders: QueuedMessage[] = [];
  readonly #options: QueueOptions;
  readonly #listeners = new Listeners();

  readonly onChange = this.#listeners.add;

  constructor(options: QueueOptions = {}) {
    this.#options = options;
  }

  get steering(): readonly QueuedMessage[] {
    return this.#steering;
  }

  get followUp(): readonly QueuedMessage[] {
    return this.#followUp;
  }

  /** Reminders for the model's next request; the user did not type them and cannot take them back. */
  get reminders(): readonly QueuedMessage[] {
    return this.#reminders;
  }

  get isEmpty(): boolean {
    return this.#steering.length + this.#followUp.length + this.#reminders.length === 0;
  }

  steer(content: readonly UserContent[]): void {
    this.#steering.push({ content });
    this.#listeners.tell();
  }

  follow(content: readonly UserContent[]): void {
    this.#followUp.push({ content });
    this.#listeners.tell();
  }

  remind(content: readonly UserContent[]): void {
    this.#reminders.push({ content });
    this.#listeners.tell();
  }

  /** Like `remind`, for a message that is already stored. */
  remindOf(message: UserMessage): void {
    this.#reminders.push({ content: message.content, message });
    this.#listeners.tell();
  }

  drainSteering(): readonly QueuedMessage[] {
    const taken = take(this.#steering, this.#options.steeringMode);
    if (taken.length > 0) this.#listeners.tell();
    return taken;
  }

  drainFollowUp(): readonly QueuedMessage[] {
    const taken = take(this.#followUp, this.#options.followUpMode);
    if (taken.length > 0) this.#listeners.tell();
    return taken;
  }

  drainReminders(): readonly QueuedMessage[] {
    const taken = take(this.#reminders, 'all');
    if (taken.length > 0) this.#listeners.tell();
    return taken;
  }

  /** Removes and returns all queued user messages, steering first. */
  clear(): readonly QueuedMessage[] {
    const all = [...this.#steering, ...this.#followUp];
    this.#steering = [];
    this.#followUp = [];
    if (all.length > 0) this.#listeners.tell();
    return all;
  }
}

function take(queue: QueuedMessage[], mode: DrainMode = 'one-at-a-time'): QueuedMessage[] {
  return queue.splice(0, mode === 'all' ? queue.length : 1);
}
