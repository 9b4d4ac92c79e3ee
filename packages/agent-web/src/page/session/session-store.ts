import { type Signal, signal } from '@preact/signals';
import type { SessionHead, ViewEntry } from '@robota-sdk/agent-export';
import type { EntriesPage, SessionPage, SessionSnapshot } from '../../contract/session.ts';
import type { StreamEvent } from '../../contract/stream.ts';
import { get, messageOf, post } from '../base/api.ts';
import { navigate } from '../base/router.ts';
import { followSession, onStream } from '../base/stream.ts';
import { advance, type LiveAnswer, noAnswer, settled } from './live-answer.ts';
import { type TranscriptItem, TranscriptItems } from './transcript-items.ts';

const windowSize = 400;

/** The reply of a command: its result, a text for the composer, and another session to show. */
interface CommandReply {
  readonly message?: string;
  readonly edit?: string;
  readonly open?: string;
}

/** Names the draft of a session in the storage of the browser. */
export function draftKey(id: string): string {
  return `robota-draft-${id}`;
}

/** A session that is shown: its state, its rows, and everything live. */
export class SessionStore {
  readonly id: string;
  readonly head: Signal<SessionHead | undefined> = signal(undefined);
  readonly state: Signal<SessionSnapshot | undefined> = signal(undefined);
  readonly items: Signal<readonly TranscriptItem[]> = signal([]);
  /** Entries before the first row that are not loaded. */
  readonly earlier = signal(0);
  readonly live: Signal<LiveAnswer> = signal(noAnswer);
  readonly error: Signal<string | undefined> = signal(undefined);
  /** The reply of the last command, until it is dismissed. */
  readonly message: Signal<string | undefined> = signal(undefined);
  /** Words for the change that the server is asked for, while it takes its time. */
  readonly asking: Signal<string | undefined> = signal(undefined);
  /** A queued message that was taken back, until the composer has it. */
  readonly returned: Signal<string | undefined> = signal(undefined);
  readonly #rows = new TranscriptItems();
  #leaf: string | null = null;
  #isLoadingEarlier = false;
  #stop: (() => void) | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Loads the session and follows it. */
  open(): void {
    this.#stop = onStream((event) => this.#take(event));
    void this.load();
  }

  close(): void {
    this.#stop?.();
    followSession(undefined);
  }

  async load(): Promise<void> {
    try {
      const page = await get<SessionPage>(`/api/sessions/${encodeURIComponent(this.id)}`);
      this.#rows.replace(page.entries);
      this.#leaf = page.entries.at(-1)?.id ?? null;
      this.head.value = page.head;
      this.state.value = page.state;
      this.earlier.value = page.earlier;
      this.live.value = noAnswer;
      this.error.value = undefined;
      this.#show();
      followSession(this.id, page.lastId);
    } catch (error) {
      this.error.value = messageOf(error);
    }
  }

  /** Loads the window of entries before the first one. */
  async loadEarlier(): Promise<void> {
    const first = this.#rows.entries[0];
    if (this.#isLoadingEarlier || this.earlier.value === 0 || !first) return;
    this.#isLoadingEarlier = true;
    try {
      const query = `before=${encodeURIComponent(first.id)}&limit=${windowSize}`;
      const page = await get<EntriesPage>(`/api/sessions/${encodeURIComponent(this.id)}/entries?${query}`);
      this.earlier.value = page.entries.length === 0 ? 0 : page.earlier;
      this.#rows.prepend(page.entries);
      this.#show();
    } catch (error) {
      this.error.value = messageOf(error);
    } finally {
      this.#isLoadingEarlier = false;
    }
  }

  /** Changes the session; a refusal becomes the message above the composer. */
  async send(action: string, body: unknown = {}, words?: string): Promise<boolean> {
    this.asking.value = words ?? this.asking.value;
    try {
      const path = `/api/sessions/${encodeURIComponent(this.id)}/${action}` as const;
      const { message, edit, open } = (await post<CommandReply | undefined>(path, body)) ?? {};
      if (action === 'prompt') this.message.value = message?.trim() || undefined;
      this.error.value = undefined;
      if (open === undefined) this.returned.value = edit;
      else {
        if (edit !== undefined) sessionStorage.setItem(draftKey(open), edit);
        navigate(`/s/${encodeURIComponent(open)}`);
      }
      return true;
    } catch (error) {
      this.error.value = messageOf(error);
      return false;
    } finally {
      if (this.asking.value === words) this.asking.value = undefined;
    }
  }

  /** Goes back to before a prompt, which returns to the composer; resolves with the problem, if there is one. */
  async rewind(entry: string, scope: string): Promise<string | undefined> {
    try {
      const path = `/api/sessions/${encodeURIComponent(this.id)}/rewind` as const;
      const { message, edit } = await post<{ readonly message: string; readonly edit?: string }>(path, {
        entry,
        scope,
      });
      this.message.value = message;
      this.returned.value = edit;
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Takes a queued message back into the composer, unless the run has it already. */
  async editQueued({ id, text }: SessionSnapshot['queue'][number]): Promise<void> {
    if (await this.send('queue/remove', { id })) this.returned.value = text;
  }

  #take(event: StreamEvent): void {
    switch (event.type) {
      case 'entry':
        this.#takeEntry(event.entry);
        return;
      case 'leaf':
        if (event.leafId !== this.#leaf) void this.load();
        return;
      case 'reset':
        void this.load();
        return;
      case 'state':
        this.state.value = event.state;
        return;
      case 'name':
        if (this.state.value && event.name !== '')
          this.state.value = { ...this.state.value, title: event.name };
        return;
      case 'live':
        this.live.value = event.events.reduce(advance, noAnswer);
        return;
      case 'event':
        this.live.value = advance(this.live.value, event.event);
        return;
    }
  }

  /** Entries of other branches are left to the `leaf` that switches to them. */
  #takeEntry(entry: ViewEntry): void {
    if (this.#leaf !== null && entry.parentId !== this.#leaf) return;
    this.#leaf = entry.id;
    this.#rows.append(entry);
    this.live.value = settled(
      this.live.value,
      entry.kind,
      entry.kind === 'result' ? entry.callId : undefined,
    );
    this.#show();
  }

  #show(): void {
    this.items.value = [...this.#rows.items];
  }
}
