import type { AnswerBlock, CallBlock, ResultView, ViewEntry } from '@robota-sdk/agent-export';

/** A call with its result, if it has one yet. */
interface CallItem {
  readonly call: CallBlock;
  readonly result: ResultView | undefined;
  /** It is of the last answer, so that it may still run. */
  readonly isLast: boolean;
}

/** One row of the transcript. Its identity changes whenever it has to be drawn again. */
export type TranscriptItem = { readonly key: string } & (
  | { readonly kind: 'prompt'; readonly entry: ViewEntry & { readonly kind: 'prompt' } }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly hidden: boolean }
  /** Calls without a text between them. */
  | { readonly kind: 'calls'; readonly calls: readonly CallItem[] }
  | { readonly kind: 'failure'; readonly text: string }
  /** Notes that follow each other, such as the decisions of a review. */
  | { readonly kind: 'notes'; readonly texts: readonly string[] }
  /** An entry that is drawn as exports draw it. */
  | { readonly kind: 'entry'; readonly entry: ViewEntry }
);

/** The rows of a branch, which grow with its entries. */
export class TranscriptItems {
  #entries: ViewEntry[] = [];
  #items: TranscriptItem[] = [];
  /** The place of the row with a call, by its id. */
  readonly #places = new Map<string, number>();
  #hasOpenCalls = false;

  get items(): readonly TranscriptItem[] {
    return this.#items;
  }

  get entries(): readonly ViewEntry[] {
    return this.#entries;
  }

  /** Adds an entry at the end. */
  append(entry: ViewEntry): void {
    this.#entries.push(entry);
    this.#add(entry);
  }

  /** Adds older entries in front. */
  prepend(entries: readonly ViewEntry[]): void {
    this.replace([...entries, ...this.#entries]);
  }

  /** Begins again with other entries. */
  replace(entries: readonly ViewEntry[]): void {
    this.#entries = [...entries];
    this.#items = [];
    this.#places.clear();
    for (const entry of entries) this.#add(entry);
  }

  #add(entry: ViewEntry): void {
    switch (entry.kind) {
      case 'prompt':
        this.#closeCalls();
        if (entry.origin === 'reminder') this.#push({ key: entry.id, kind: 'entry', entry });
        else this.#push({ key: entry.id, kind: 'prompt', entry });
        return;
      case 'answer': {
        this.#closeCalls();
        for (const [index, block] of entry.blocks.entries()) this.#addBlock(block, `${entry.id}-${index}`);
        if (entry.cut) this.#push({ key: `${entry.id}-end`, kind: 'failure', text: entry.cut.text });
        return;
      }
      case 'result':
        if (!this.#settle(entry)) this.#push({ key: entry.id, kind: 'entry', entry });
        return;
      case 'note':
        if (entry.text !== '') this.#addNote(entry.text, entry.id);
        return;
      default:
        this.#push({ key: entry.id, kind: 'entry', entry });
    }
  }

  #addNote(text: string, key: string): void {
    const last = this.#items.at(-1);
    if (last?.kind === 'notes')
      this.#items[this.#items.length - 1] = { ...last, texts: [...last.texts, text] };
    else this.#push({ key, kind: 'notes', texts: [text] });
  }

  #addBlock(block: AnswerBlock, key: string): void {
    if (block.type === 'call') {
      this.#addCall(block, key);
      return;
    }
    if (block.type === 'server-tool')
      this.#push({ key, kind: 'text', text: `*${block.name}: ${block.summary}*` });
    else if (block.type === 'thinking')
      this.#push({ key, kind: 'thinking', text: block.text, hidden: block.hidden });
    else if (block.text.trim() !== '') this.#push({ key, kind: 'text', text: block.text });
  }

  #addCall(call: CallBlock, key: string): void {
    const last = this.#items.at(-1);
    const added = { call, result: undefined, isLast: true };
    this.#hasOpenCalls = true;
    if (last?.kind === 'calls')
      this.#items[this.#items.length - 1] = { ...last, calls: [...last.calls, added] };
    else this.#push({ key, kind: 'calls', calls: [added] });
    this.#places.set(call.id, this.#items.length - 1);
  }

  /** Nothing that came before an answer or a prompt still runs. */
  #closeCalls(): void {
    if (!this.#hasOpenCalls) return;
    this.#hasOpenCalls = false;
    for (const [place, item] of this.#items.entries())
      if (item.kind === 'calls' && item.calls.some(({ isLast }) => isLast))
        this.#items[place] = { ...item, calls: item.calls.map((each) => ({ ...each, isLast: false })) };
  }

  /** Gives a call its result; false if the call is not in the branch. */
  #settle(result: ViewEntry & ResultView): boolean {
    const place = this.#places.get(result.callId);
    const item = place === undefined ? undefined : this.#items[place];
    if (place === undefined || item?.kind !== 'calls') return false;
    const calls = item.calls.map((each) => (each.call.id === result.callId ? { ...each, result } : each));
    this.#items[place] = { ...item, calls };
    return true;
  }

  #push(item: TranscriptItem): void {
    this.#items.push(item);
  }
}
