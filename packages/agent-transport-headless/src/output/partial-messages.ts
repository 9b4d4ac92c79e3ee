import { randomUUID } from 'node:crypto';
import type { InteractiveSession, Message, SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import { apiUsage } from './api-usage.ts';
import { eventLine, type ThinkingDisplay } from './message-events.ts';
import type { Output } from './output.ts';
import { stopWords } from './result-object.ts';

type Event = Readonly<Record<string, unknown>>;
type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** Prints an answer piece by piece, as the events of Anthropic's API: messages, their blocks and the pieces of those. */
export function partialMessages(
  session: InteractiveSession,
  stdout: Output,
  display: ThinkingDisplay = {},
): () => void {
  const message = new StreamedMessage(() => `${session.model.vendor}/${session.model.id}`);
  return session.subscribe(async (event) => {
    if (display.hidesThinking && event.type === 'thinking-delta') return;
    const lines = message
      .take(event)
      .map((part) => eventLine(session, { type: 'stream_event', event: part, parent_tool_use_id: null }));
    // In one piece: the whole message follows, and must not come in between.
    if (lines.length > 0) await stdout.write(lines.join(''));
  });
}

type Kind = 'text' | 'thinking';

/** The message that is being told, and its open block. */
class StreamedMessage {
  readonly #model: () => string;
  #isOpen = false;
  #index = 0;
  #block: Kind | undefined;

  constructor(model: () => string) {
    this.#model = model;
  }

  take(event: SessionEvent): readonly Event[] {
    switch (event.type) {
      case 'text-delta':
        return this.#delta('text', { type: 'text_delta', text: event.text });
      case 'thinking-delta':
        return this.#delta('thinking', { type: 'thinking_delta', thinking: event.text });
      case 'text-end':
      case 'thinking-end':
        return this.#endBlock();
      case 'text-restart':
        this.#reset();
        return [{ type: 'text_restart' }];
      case 'message-append':
        return event.message.role === 'assistant' ? this.#end(event.message) : [];
      default:
        return [];
    }
  }

  #delta(kind: Kind, delta: Event): readonly Event[] {
    const begun =
      this.#block === kind ? [] : [...this.#begin(), ...this.#endBlock(), ...this.#beginBlock(kind)];
    return [...begun, { type: 'content_block_delta', index: this.#index, delta }];
  }

  #begin(): readonly Event[] {
    if (this.#isOpen) return [];
    this.#isOpen = true;
    const usage = apiUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    const message = { type: 'message', role: 'assistant', model: this.#model(), content: [], usage };
    return [
      {
        type: 'message_start',
        message: { id: `msg_${randomUUID()}`, ...message, stop_reason: null, stop_sequence: null },
      },
    ];
  }

  #beginBlock(kind: Kind): readonly Event[] {
    this.#block = kind;
    const content_block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
    return [{ type: 'content_block_start', index: this.#index, content_block }];
  }

  #endBlock(): readonly Event[] {
    if (this.#block === undefined) return [];
    this.#block = undefined;
    return [{ type: 'content_block_stop', index: this.#index++ }];
  }

  /** Calls are known when the message is complete; the message ends with them. */
  #end({ content, usage, stopReason }: AssistantMessage): readonly Event[] {
    const calls = content.filter((block) => block.type === 'tool-call');
    const events = [
      ...this.#begin(),
      ...this.#endBlock(),
      ...calls.flatMap(({ id, name, input }) => this.#call({ id, name }, JSON.stringify(input))),
      {
        type: 'message_delta',
        delta: { stop_reason: stopWords[stopReason] ?? null, stop_sequence: null },
        usage: apiUsage(usage),
      },
      { type: 'message_stop' },
    ];
    this.#reset();
    return events;
  }

  #call(call: { readonly id: string; readonly name: string }, input: string): readonly Event[] {
    const index = this.#index++;
    return [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', ...call, input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: input } },
      { type: 'content_block_stop', index },
    ];
  }

  #reset(): void {
    this.#isOpen = false;
    this.#block = undefined;
    this.#index = 0;
  }
}
