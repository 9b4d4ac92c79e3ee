import type { ViewEntry } from '@robota-sdk/agent-export';
import type { SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { BoardRow } from './board.ts';
import type { SessionState } from './session.ts';

/**
 * The one stream of a page. `id` becomes the event's id: a stream that is opened again with it continues
 * after that entry. Only entries have one, because only they are on disk.
 */
export type StreamEvent =
  /** A finished entry of the session that the page shows. */
  | { readonly type: 'entry'; readonly id: string; readonly entry: ViewEntry }
  /** An event of that session, as it happens. */
  | { readonly type: 'event'; readonly event: SessionEvent }
  /** The state when the stream began: the text so far, the calls that run. Replaces everything live. */
  | { readonly type: 'live'; readonly events: readonly SessionEvent[] }
  /** Everything of that session beside its entries, whenever some of it changed. */
  | { readonly type: 'state'; readonly state: SessionState }
  /** Rows of the board that changed, and the ids of those that are gone. */
  | { readonly type: 'board'; readonly rows: readonly BoardRow[]; readonly gone: readonly string[] };

/** The origin of the events of a page. */
export interface StreamSource {
  /**
   * Yields the entries after `lastEntry`, then what is live, then everything new, until the signal is aborted. Nothing
   * is left out and nothing comes twice.
   */
  open(options: {
    readonly session: string | undefined;
    readonly lastEntry: string | undefined;
    readonly signal: AbortSignal;
  }): AsyncIterable<StreamEvent>;
}
