import type { LiveRedactor } from '@robota-sdk/agent-core';
import { redactKeepingImages } from '@robota-sdk/agent-export';
import { type LinkChange, type LinkedSession, LiveFold } from '@robota-sdk/agent-link';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';

type Piece = Extract<SessionEvent, { readonly type: 'text-delta' | 'thinking-delta' | 'tool-progress' }>;

/** A text that is held back can only be shown further by a piece with one of these. */
const gap = /[\s\u0080-\uffff]/;
/** The answer so far is whole. */
const endsAnswer: ReadonlySet<SessionEvent['type']> = new Set([
  'text-end',
  'thinking-end',
  'turn-start',
  'turn-end',
  'run-end',
]);

/**
 * A live session without secrets, for all pages that show it. Of a text that comes in pieces, the end is held back as long as
 * another piece could make a secret of it.
 */
export class HiddenLink {
  readonly linked: LinkedSession;
  readonly #redact: () => LiveRedactor;
  readonly #tell: (change: LinkChange) => void;
  readonly #stop: () => void;
  #fold = new LiveFold();
  /** Pieces of which nothing was told yet, by the text they belong to. */
  readonly #held = new Map<string, Piece>();

  constructor(linked: LinkedSession, redact: () => LiveRedactor, tell: (change: LinkChange) => void) {
    this.linked = linked;
    this.#redact = redact;
    this.#tell = tell;
    this.#begin();
    this.#stop = linked.subscribe((change) => this.#take(change));
  }

  /** The events that repeat what is under way, as far as it was told. */
  live(): readonly SessionEvent[] {
    return this.#fold.events();
  }

  close(): void {
    this.#stop();
  }

  #begin(): void {
    this.#fold = new LiveFold();
    this.#held.clear();
    for (const event of this.linked.live()) for (const shown of this.#shown(event)) this.#fold.take(shown);
  }

  #take(change: LinkChange): void {
    if (change.type === 'gap') this.#begin();
    if (change.type !== 'event') return this.#tell(change);
    for (const event of this.#shown(change.event)) {
      this.#fold.take(event);
      this.#tell({ type: 'event', event });
    }
  }

  /** The events that can be told once another one came. */
  #shown(event: SessionEvent): readonly SessionEvent[] {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      const other = event.type === 'text-delta' ? 'thinking-delta' : 'text-delta';
      return [...this.#end(keyOf(event, other)), ...this.#add(keyOf(event, event.type), event)];
    }
    if (event.type === 'tool-progress') return this.#add(keyOf(event, event.toolCallId), event);
    return [...this.#endBefore(event), redactKeepingImages(event, this.#redact())];
  }

  #add(key: string, piece: Piece): readonly SessionEvent[] {
    const text = (this.#held.get(key)?.text ?? '') + piece.text;
    const { shown, rest } = gap.test(piece.text)
      ? this.#redact().text.settle(text)
      : { shown: '', rest: text };
    if (rest === '') this.#held.delete(key);
    else this.#held.set(key, { ...piece, text: rest });
    return shown === '' ? [] : [{ ...piece, text: shown }];
  }

  /** Shows what was held back where the text is whole, and forgets it where an entry replaces the text. */
  #endBefore(event: SessionEvent): readonly SessionEvent[] {
    const answer = [keyOf(event, 'thinking-delta'), keyOf(event, 'text-delta')];
    if (endsAnswer.has(event.type)) return answer.flatMap((key) => this.#end(key));
    if (event.type === 'tool-end') return this.#end(keyOf(event, event.call.id));
    const isAnswer = event.type === 'message-append' && event.message.role === 'assistant';
    if (isAnswer || event.type === 'text-restart') for (const key of answer) this.#held.delete(key);
    if (event.type === 'message-append' && event.message.role === 'tool')
      this.#held.delete(keyOf(event, event.message.toolCallId));
    return [];
  }

  #end(key: string): readonly SessionEvent[] {
    const piece = this.#held.get(key);
    this.#held.delete(key);
    return piece ? [{ ...piece, text: this.#redact().text(piece.text) }] : [];
  }
}

/** Agents write beside each other. */
function keyOf(event: SessionEvent, text: string): string {
  return `${'agentId' in event ? (event.agentId ?? '') : ''} ${text}`;
}
