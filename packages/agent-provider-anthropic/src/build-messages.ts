import {
  type AssistantContent,
  type AssistantMessage,
  isJsonObject,
  type JsonObject,
  type Message,
  type Model,
  type ModelRef,
  type ToolMessage,
} from '@robota-sdk/agent-core';
import { ToolIds, toApiName } from './tool-ids.ts';
import { missingResult, resultBlocks, userBlocks } from './user-blocks.ts';

/** One message as the API takes it. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

export interface HistoryOptions {
  readonly model: Model;
  /** False while thinking is off. */
  readonly sendsThinkingBack: boolean;
  /** Ids of messages whose thinking the API no longer accepts. */
  readonly refusedThinking: ReadonlySet<string>;
}

/**
 * Makes a conversation the API accepts of any history: roles alternate, a person speaks first, every call has exactly
 * one result and the results of one answer stand together in front of whatever was said after them.
 */
export function buildMessages(messages: readonly Message[], options: HistoryOptions): WireMessage[] {
  const transcript = new Transcript(options.model);
  const serverCalls = pairedServerCalls(messages, options.model);
  for (const message of messages) {
    if (message.role === 'user') transcript.addUser(userBlocks(message.content, options.model));
    else if (message.role === 'tool') transcript.addResult(message);
    else transcript.addAssistant(assistantBlocks(message, { ...options, serverCalls }));
  }
  return transcript.finish({ mayEndWithAssistant: isPausedBy(messages.at(-1), options.model) });
}

function isPausedBy(message: Message | undefined, model: Model): boolean {
  return (
    message?.role === 'assistant' && message.stopReason === 'pause' && isOwnMessage(message.model, model)
  );
}

/** Whether the model asked now made the message, so that signed and encrypted parts of it mean something. */
export function isOwnMessage(made: ModelRef, model: ModelRef): boolean {
  return made.vendor === model.vendor && made.id === model.id && made.api === model.api;
}

/** A call of the latest answer under its own and its API id, with its result once there is one. */
interface OpenCall {
  readonly id: string;
  readonly apiId: string;
  result?: JsonObject;
}

/** Collects turns; results and what was said wait until the next answer, to stand together in one turn. */
class Transcript {
  readonly #model: Model;
  readonly #turns: { role: WireMessage['role']; content: JsonObject[] }[] = [];
  readonly #ids = new ToolIds();
  #calls: OpenCall[] = [];
  #said: JsonObject[] = [];

  constructor(model: Model) {
    this.#model = model;
  }

  addUser(blocks: readonly JsonObject[]): void {
    this.#said.push(...blocks);
  }

  addResult(message: ToolMessage): void {
    const call = this.#calls.find(({ id, result }) => id === message.toolCallId && !result);
    if (!call) {
      // A result nobody asked for is refused; as plain words it still informs.
      const label = { type: 'text', text: `Result of an earlier call of ${message.toolName}:` };
      this.#said.push(label, ...userBlocks(message.content, this.#model));
      return;
    }
    const { result, beside } = resultBlocks(call.apiId, message, this.#model);
    call.result = result;
    this.#said.push(...beside);
  }

  addAssistant(blocks: readonly JsonObject[]): void {
    this.#flush();
    this.#append(
      'assistant',
      blocks.map((block) => (block.type === 'tool_use' ? this.#openCall(block) : block)),
    );
  }

  finish({ mayEndWithAssistant }: { mayEndWithAssistant: boolean }): WireMessage[] {
    this.#flush();
    const goOn = { type: 'text', text: 'Continue.' };
    if (this.#turns.at(-1)?.role !== 'user' && !mayEndWithAssistant) this.#append('user', [goOn]);
    if (this.#turns[0]?.role !== 'user') this.#turns.unshift({ role: 'user', content: [goOn] });
    return this.#turns;
  }

  #openCall(block: JsonObject): JsonObject {
    const id = String(block.id);
    const apiId = this.#ids.claim(id);
    this.#calls.push({ id, apiId });
    return apiId === id ? block : { ...block, id: apiId };
  }

  #flush(): void {
    const results = this.#calls.map(({ apiId, result }) => result ?? missingResult(apiId));
    this.#append('user', [...results, ...this.#said]);
    this.#calls = [];
    this.#said = [];
  }

  #append(role: WireMessage['role'], blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    if (role === 'user') this.#dropLastThinking();
    const last = this.#turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.#turns.push({ role, content: [...blocks] });
  }

  /** An answer may not end with thinking: that of an interrupted one leads nowhere. */
  #dropLastThinking(): void {
    const last = this.#turns.at(-1);
    if (last?.role !== 'assistant') return;
    while (isThinkingBlock(last.content.at(-1))) last.content.pop();
    if (last.content.length === 0) this.#turns.pop();
  }
}

interface AssistantOptions extends HistoryOptions {
  readonly serverCalls: ReadonlySet<string>;
}

interface MadeBlocks {
  readonly own: boolean;
  readonly thinks: boolean;
  readonly blocks: readonly JsonObject[];
}

/** As with what people say: an answer is sent again with every turn, and means the same as long as these two do. */
const madeBlocks = new WeakMap<AssistantMessage, MadeBlocks>();

function assistantBlocks(message: AssistantMessage, options: AssistantOptions): readonly JsonObject[] {
  const own = isOwnMessage(message.model, options.model);
  const thinks = own && options.sendsThinkingBack && !options.refusedThinking.has(message.id);
  const known = madeBlocks.get(message);
  if (known?.own === own && known.thinks === thinks) return known.blocks;
  const blocks: JsonObject[] = [];
  for (const content of message.content) {
    const block = assistantBlock(content, { own, thinks, serverCalls: options.serverCalls });
    if (block) blocks.push(block);
  }
  // Whether a server's call is sent depends on the answers around it.
  if (message.content.every(({ type }) => type !== 'server-tool'))
    madeBlocks.set(message, { own, thinks, blocks });
  return blocks;
}

/** Whether a block is thinking, readable or not. */
export function isThinkingBlock(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

interface BlockOptions {
  readonly own: boolean;
  readonly thinks: boolean;
  readonly serverCalls: ReadonlySet<string>;
}

function assistantBlock(content: AssistantContent, options: BlockOptions): JsonObject | undefined {
  const vendorData = options.own && isJsonObject(content.vendorData) ? content.vendorData : undefined;
  switch (content.type) {
    case 'text':
      return content.text.trim() === '' ? undefined : { type: 'text', text: content.text, ...vendorData };
    case 'thinking':
      // Thinking without its data was cut off before it was signed.
      if (!options.thinks || !vendorData) return undefined;
      if (content.redacted) return { type: 'redacted_thinking', ...vendorData };
      return { type: 'thinking', thinking: content.text, ...vendorData };
    case 'tool-call': {
      const input = isJsonObject(content.input) ? content.input : {};
      return {
        type: 'tool_use',
        id: content.id,
        name: toApiName(content.name) || 'unknown',
        input,
        ...vendorData,
      };
    }
    case 'server-tool':
      return options.serverCalls.has(content.id) || isStandalone(vendorData) ? vendorData : undefined;
  }
}

function isStandalone(block: JsonObject | undefined): boolean {
  return !/_tool_(use|result)$/.test(String(block?.type));
}

/**
 * Server calls without a result, and results without a call, are refused. A result may come in the answer after a pause
 * or after tools have run; until then the vendor owes it.
 */
function pairedServerCalls(messages: readonly Message[], model: Model): ReadonlySet<string> {
  const paired = new Set<string>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    if (!isOwnMessage(message.model, model)) open = new Set();
    for (const content of message.content) {
      if (content.type !== 'server-tool') continue;
      if (content.phase === 'call') open.add(content.id);
      else if (open.delete(content.id)) paired.add(content.id);
    }
    if (message.stopReason !== 'pause' && message.stopReason !== 'tool-calls') open = new Set();
  }
  return new Set([...paired, ...open]);
}
