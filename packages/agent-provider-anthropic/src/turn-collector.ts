import type { JsonObject, Model, ToolMessage } from '@robota-sdk/agent-core';
import { ToolIds } from './tool-ids.ts';
import { missingResultBlock, resultBlocks, userBlocks } from './user-blocks.ts';

/** One message as the API takes it. */
export type WireMessage = {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
};

/** A call of the latest answer under its own and its API id, with its result once there is one. */
interface OpenCall {
  readonly id: string;
  readonly apiId: string;
  result?: JsonObject;
}

/** Collects turns; results and what was said wait until the next answer, to stand together in one turn. */
export class TurnCollector {
  readonly #model: Model;
  /** A turn is replaced, never changed: a request that was sent before holds it, too. */
  readonly #turns: WireMessage[];
  readonly #ids: ToolIds;
  #calls: OpenCall[];
  #said: JsonObject[];

  /** A transcript that continues another one, which stays as it is. */
  constructor(model: Model, before?: TurnCollector) {
    this.#model = model;
    this.#turns = before ? before.#turns.slice() : [];
    this.#ids = new ToolIds(before ? before.#ids : undefined);
    this.#calls = before ? before.#calls.map((call) => ({ ...call })) : [];
    this.#said = before ? [...before.#said] : [];
  }

  addUser(blocks: readonly JsonObject[]): void {
    this.#said.push(...blocks);
  }

  addResult(message: ToolMessage): void {
    const call = this.#calls.find(({ id, result }) => id === message.toolCallId && !result);
    if (!call) {
      // The API refuses a result without a call; as plain text it still informs.
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
    const blocks = this.#calls.map(({ apiId, result }) => result ?? missingResultBlock(apiId));
    blocks.push(...this.#said);
    this.#append('user', blocks);
    this.#calls = [];
    this.#said = [];
  }

  #append(role: WireMessage['role'], blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    if (role === 'user') this.#dropLastThinking();
    const last = this.#turns.at(-1);
    if (last?.role !== role) this.#turns.push({ role, content: blocks });
    else this.#turns[this.#turns.length - 1] = { role, content: [...last.content, ...blocks] };
  }

  /** An answer may not end with thinking: that of an interrupted one has no continuation. */
  #dropLastThinking(): void {
    const last = this.#turns.at(-1);
    if (last?.role !== 'assistant' || !isThinkingBlock(last.content.at(-1))) return;
    const content = last.content.slice(0, last.content.findLastIndex((block) => !isThinkingBlock(block)) + 1);
    this.#turns.pop();
    if (content.length > 0) this.#turns.push({ role: 'assistant', content });
  }
}

/** True if a block is thinking, readable or not. */
export function isThinkingBlock(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}
