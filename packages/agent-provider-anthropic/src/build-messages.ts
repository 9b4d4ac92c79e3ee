import {
  type AssistantContent,
  type AssistantMessage,
  isJsonObject,
  isSameModel,
  type JsonObject,
  type Message,
  type Model,
} from '@robota-sdk/agent-core';
import { ServerCalls } from './server-calls.ts';
import { toApiName } from './tool-ids.ts';
import { TurnCollector, type WireMessage } from './turn-collector.ts';
import { userBlocks } from './user-blocks.ts';

export interface HistoryOptions {
  readonly model: Model;
  /** False while thinking is off. */
  readonly sendsThinkingBack: boolean;
  /** Ids of messages whose thinking the API no longer accepts. */
  readonly refusedThinking: ReadonlySet<string>;
}

/**
 * Builds a conversation that the API accepts from any history: roles alternate, the user comes first, and
 * every call has exactly one result, directly after its answer. Only messages since the last request are
 * built; earlier turns are the same objects as in that request.
 */
export function buildMessages(messages: readonly Message[], options: HistoryOptions): WireMessage[] {
  const beginning = beginningOf(messages, options);
  beginning.grow(messages);
  return beginning.continueWith(messages) ?? new Beginning(options).continueWith(messages) ?? [];
}

/** By the first message, so that they go with the conversation; with and without thinking. */
const beginnings = {
  thinking: new WeakMap<Message, Beginning>(),
  plain: new WeakMap<Message, Beginning>(),
};

function beginningOf(messages: readonly Message[], options: HistoryOptions): Beginning {
  const [first] = messages;
  const known = options.sendsThinkingBack ? beginnings.thinking : beginnings.plain;
  const beginning = first && known.get(first);
  if (beginning?.holdsFor(messages, options)) return beginning;
  const fresh = new Beginning(options);
  if (first) known.set(first, fresh);
  return fresh;
}

/** The part of a conversation that later messages cannot change any more, as it is sent. */
class Beginning {
  readonly #options: HistoryOptions;
  readonly #refusedCount: number;
  readonly #messages: Message[] = [];
  readonly #transcript: TurnCollector;
  readonly #serverCalls: ServerCalls;
  /** How many messages were searched for calls of the vendor's tools; not fewer than are in the transcript. */
  #searched = 0;
  /** Server calls that were not sent. */
  readonly #omitted = new Set<string>();

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#refusedCount = options.refusedThinking.size;
    this.#transcript = new TurnCollector(options.model);
    this.#serverCalls = new ServerCalls(options.model);
  }

  holdsFor(messages: readonly Message[], { model, refusedThinking }: HistoryOptions): boolean {
    return (
      model === this.#options.model &&
      refusedThinking.size === this.#refusedCount &&
      (this.#refusedCount === 0 || refusedThinking === this.#options.refusedThinking) &&
      this.#messages.every((message, index) => message === messages[index])
    );
  }

  /** Takes up all before the last answer, unless a result of a server call is still to come. */
  grow(messages: readonly Message[]): void {
    const end = messages.findLastIndex(({ role }) => role === 'assistant');
    for (; this.#searched < end; this.#searched++) this.#serverCalls.add(messages[this.#searched] as Message);
    if (this.#serverCalls.isOpen) return;
    const fresh = messages.slice(this.#messages.length, Math.max(end, this.#messages.length));
    this.#add(fresh, this.#transcript, this.#serverCalls);
    for (const message of fresh) this.#messages.push(message);
    if (this.#serverCalls.hasAny) for (const message of fresh) this.#noteOmitted(message);
  }

  #noteOmitted(message: Message): void {
    if (message.role !== 'assistant') return;
    for (const content of message.content)
      if (content.type === 'server-tool' && !this.#serverCalls.has(content.id)) this.#omitted.add(content.id);
  }

  /** The whole conversation; nothing where its end changes what was sent of its beginning. */
  continueWith(messages: readonly Message[]): WireMessage[] | undefined {
    const { model } = this.#options;
    const serverCalls = new ServerCalls(model, this.#serverCalls);
    for (const message of messages.slice(this.#searched)) serverCalls.add(message);
    for (const id of this.#omitted) if (serverCalls.has(id)) return undefined;
    const transcript = new TurnCollector(model, this.#transcript);
    this.#add(messages.slice(this.#messages.length), transcript, serverCalls);
    return transcript.finish({ mayEndWithAssistant: isPausedBy(messages.at(-1), model) });
  }

  #add(messages: readonly Message[], transcript: TurnCollector, serverCalls: ServerCalls): void {
    const options = { ...this.#options, serverCalls };
    for (const message of messages) {
      if (message.role === 'user') transcript.addUser(userBlocks(message.content, options.model));
      else if (message.role === 'tool') transcript.addResult(message);
      else transcript.addAssistant(assistantBlocks(message, options));
    }
  }
}

function isPausedBy(message: Message | undefined, model: Model): boolean {
  return message?.role === 'assistant' && message.stopReason === 'pause' && isSameModel(message.model, model);
}

interface AssistantOptions extends HistoryOptions {
  readonly serverCalls: ServerCalls;
}

function assistantBlocks(message: AssistantMessage, options: AssistantOptions): readonly JsonObject[] {
  const own = isSameModel(message.model, options.model);
  const thinks = own && options.sendsThinkingBack && !options.refusedThinking.has(message.id);
  const { serverCalls } = options;
  const blocks: JsonObject[] = [];
  for (const content of message.content) {
    const block = assistantBlock(content, { own, thinks, serverCalls });
    if (block) blocks.push(block);
  }
  return blocks;
}

interface BlockOptions {
  readonly own: boolean;
  readonly thinks: boolean;
  readonly serverCalls: ServerCalls;
}

function assistantBlock(content: AssistantContent, options: BlockOptions): JsonObject | undefined {
  const vendorData = options.own && isJsonObject(content.vendorData) ? content.vendorData : undefined;
  switch (content.type) {
    case 'text':
      return content.text.trim() === ''
        ? undefined
        : withData({ type: 'text', text: content.text }, vendorData);
    case 'thinking':
      // Thinking without its data was cut off before it was signed.
      if (!options.thinks || !vendorData) return undefined;
      if (content.redacted) return { type: 'redacted_thinking', ...vendorData };
      return { type: 'thinking', thinking: content.text, ...vendorData };
    case 'tool-call': {
      const input = isJsonObject(content.input) ? content.input : {};
      const name = toApiName(content.name) || 'unknown';
      return withData({ type: 'tool_use', id: content.id, name, input }, vendorData);
    }
    case 'server-tool':
      return options.serverCalls.has(content.id) || isStandalone(vendorData) ? vendorData : undefined;
  }
}

function withData(block: JsonObject, vendorData: JsonObject | undefined): JsonObject {
  return vendorData ? { ...block, ...vendorData } : block;
}

function isStandalone(block: JsonObject | undefined): boolean {
  return !/_tool_(use|result)$/.test(String(block?.type));
}
