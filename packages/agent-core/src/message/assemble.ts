import { hash } from 'node:crypto';
import type { AssistantContent } from './content.ts';
import type { Message } from './message.ts';
import type { ModelEvent } from './model-event.ts';

type OpenBlock =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'thinking'; text: string }
  | { readonly kind: 'tool-call'; readonly id: string; readonly name: string };

/**
 * Folds the events of one model call into the blocks of a message. Call ids are unique in the conversation, so that
 * results are not mixed up.
 */
export class MessageAssembler {
  readonly #callIds: CallIds;
  readonly #open = new Map<number, OpenBlock>();
  readonly #done = new Map<number, AssistantContent>();

  constructor(conversation: readonly Message[] = []) {
    this.#callIds = new CallIds(conversation);
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case 'text-start':
        this.#open.set(event.index, { kind: 'text', text: '' });
        break;
      case 'thinking-start':
        this.#open.set(event.index, { kind: 'thinking', text: '' });
        break;
      case 'tool-call-start':
        this.#open.set(event.index, {
          kind: 'tool-call',
          id: this.#callIds.claim(event.id),
          name: event.name,
        });
        break;
      case 'text-delta':
      case 'thinking-delta': {
        const block = this.#open.get(event.index);
        if (block && 'text' in block) block.text += event.text;
        break;
      }
      case 'text-was-thinking': {
        const block = this.#open.get(event.index);
        if (block?.kind === 'text') this.#open.set(event.index, { ...block, kind: 'thinking' });
        break;
      }
      case 'text-end':
      case 'thinking-end':
      case 'tool-call-end':
        this.#close(event);
        break;
      case 'server-tool':
        this.#done.set(event.index, event.content);
        break;
    }
  }

  /** The finished blocks, in the order they began. */
  content(): readonly AssistantContent[] {
    return [...this.#done.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  /** All text so far, also of a block that is still open. */
  text(): string {
    const parts: [number, string][] = [];
    for (const [index, block] of this.#done) if (block.type === 'text') parts.push([index, block.text]);
    for (const [index, block] of this.#open) if (block.kind === 'text') parts.push([index, block.text]);
    return parts.sort(([a], [b]) => a - b).reduce((text, [, part]) => text + part, '');
  }

  #close(event: Extract<ModelEvent, { type: 'text-end' | 'thinking-end' | 'tool-call-end' }>): void {
    const block = this.#open.get(event.index);
    if (!block) return;
    this.#open.delete(event.index);
    const vendorData = event.vendorData === undefined ? {} : { vendorData: event.vendorData };
    if (block.kind === 'text') {
      if (block.text !== '') this.#done.set(event.index, { type: 'text', text: block.text, ...vendorData });
      return;
    }
    if (block.kind === 'thinking') {
      const redacted = event.type === 'thinking-end' && event.redacted ? { redacted: true } : {};
      this.#done.set(event.index, { type: 'thinking', text: block.text, ...redacted, ...vendorData });
      return;
    }
    if (event.type !== 'tool-call-end') return;
    const invalid = event.invalid === undefined ? {} : { invalid: event.invalid };
    const raw = event.raw === undefined ? {} : { raw: event.raw };
    const { id, name } = block;
    this.#done.set(event.index, {
      type: 'tool-call',
      id,
      name,
      input: event.input,
      ...invalid,
      ...raw,
      ...vendorData,
    });
  }
}

/**
 * Assigns unique ids to the calls of an answer: the vendor's id if it is new. Some servers send none, send one twice,
 * or restart counting in every answer.
 */
class CallIds {
  readonly #messages: readonly Message[];
  readonly #claimed = new Set<string>();

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  claim(vendorId: string): string {
    let id = vendorId;
    for (let count = 1; id === '' || this.#isTaken(id); count++) id = otherId(vendorId, count);
    this.#claimed.add(id);
    return id;
  }

  /** Searches instead of collecting all ids: an answer has few calls, a conversation thousands. */
  #isTaken(id: string): boolean {
    return this.#claimed.has(id) || this.#messages.some((message) => hasCall(message, id));
  }
}

function hasCall(message: Message, id: string): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((content) => content.type === 'tool-call' && content.id === id);
}

/** Deterministic, so that a replay gets the same ids; the strictest vendor accepts nine characters. */
function otherId(vendorId: string, count: number): string {
  return `c${hash('sha256', `${vendorId} ${count}`, 'hex').slice(0, 8)}`;
}
