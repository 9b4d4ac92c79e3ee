import { setTimeout as delay } from 'node:timers/promises';
import type { SessionStorePort } from '@robota-sdk/agent-sdk/front-end';
import { ItemReducer } from '@robota-sdk/agent-sessions';
import type { Finished } from '@robota-sdk/agent-tui';
import type { ItemFormat } from './items/item-view.ts';
import { Transcript } from './live/transcript.ts';
import type { AppStyle } from './theme/app-tokens.ts';

export interface DrawOptions {
  readonly look: AppStyle;
  readonly signal: AbortSignal;
  /** Paths below it are shortened. */
  readonly home: string;
  /** Takes secrets out of what is shown. */
  redact(text: string): string;
}

/** Lines for a width. */
export type DrawnLines = (columns: number) => readonly string[];

/** Reads and searches are told in one line; those that nothing follows for so long are shown. */
const quietMs = 500;

/** Draws a session as the screen does, while another process writes it, until aborted. */
export async function* drawSession(
  store: SessionStorePort,
  reference: string,
  { look, signal, home, redact }: DrawOptions,
): AsyncGenerator<DrawnLines> {
  const drawn: DrawnLines[] = [];
  let format: ItemFormat = { view: 'compact', home };
  const transcript = new Transcript({
    look,
    commit: (finished) => void drawn.push(linesOf(finished)),
    isThinkingHidden: () => true,
    format: () => format,
    redact,
  });
  const items = new ItemReducer();
  const lines = store.follow(reference, { signal })[Symbol.asyncIterator]();
  let next = lines.next();
  for (;;) {
    const isHolding = transcript.renderHeld(80).length > 0;
    const line = isHolding ? await Promise.race([next, delay(quietMs, 'quiet' as const)]) : await next;
    if (line === 'quiet' || line.done) transcript.flush();
    else if (line.value.kind === 'header') {
      format = { ...format, cwd: line.value.header.cwd };
      // Shows the reader that the session is there.
      drawn.push(() => []);
    } else if (line.value.kind === 'entry') {
      items.apply({ entry: line.value.entry });
      for (const item of items.takeFinished()) transcript.print(item);
    }
    yield* drawn.splice(0);
    if (line === 'quiet') continue;
    if (line.done) return;
    next = lines.next();
  }
}

function linesOf(finished: Finished): DrawnLines {
  return typeof finished === 'function' ? finished : () => finished;
}
