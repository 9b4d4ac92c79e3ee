import type { ViewEntry } from '@robota-sdk/agent-export';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { BoardRow } from './board.ts';
import type { SessionSnapshot } from './session.ts';

/**
 * The one stream of a page. `id` becomes the event's id: a stream that is opened again with it continues
 * after that line. Only lines of the session's file have one, because only they are on disk.
 *
 * Rules for live content: the `entry` of an answer replaces the text and the thinking so far, the `entry` of a result
 * replaces its call, and `live` replaces everything. `message-append` is never sent, since the entry stands for it.
 */
export type StreamEvent =
  /** A finished entry of the session that the page shows, on any branch. */
  | { readonly type: 'entry'; readonly id: string; readonly entry: ViewEntry }
  /** The conversation continues from another entry; null is the beginning. */
  | { readonly type: 'leaf'; readonly id: string; readonly leafId: string | null }
  /** The session has another name; empty without one. */
  | { readonly type: 'name'; readonly id: string; readonly name: string }
  /** An entry has another label; empty without one. */
  | { readonly type: 'label'; readonly id: string; readonly entryId: string; readonly label: string }
  /** An event of that session, as it happens. */
  | { readonly type: 'event'; readonly event: SessionEvent }
  /** Everything under way: the text so far, the calls that run. Replaces everything live. */
  | { readonly type: 'live'; readonly events: readonly SessionEvent[] }
  /** Everything of that session beside its entries, whenever some of it changed. */
  | { readonly type: 'state'; readonly state: SessionSnapshot }
  /** The last line is not in the file any more: load the session again, then open the stream. */
  | { readonly type: 'reset' }
  /** Rows of the board that changed, the ids of those that are gone, and the dollars spent today. */
  | {
      readonly type: 'board';
      readonly rows: readonly BoardRow[];
      readonly gone: readonly string[];
      readonly spent?: number;
    };

/** The origin of the events of a page. */
export interface StreamSource {
  /**
   * Yields the entries after `lastEntry`, then what is live, then everything new, until the signal is aborted. Nothing
   * is left out and nothing comes twice. Without `lastEntry`, all entries are yielded.
   */
  open(options: {
    readonly session: string | undefined;
    readonly lastEntry: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncIterable<StreamEvent>;
}
