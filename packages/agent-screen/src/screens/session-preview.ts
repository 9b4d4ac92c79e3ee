import type { SessionStorePort } from '@robota-sdk/agent-sdk/front-end';
import { ItemReducer } from '@robota-sdk/agent-sessions';
import { type Component, type InputEvent, renderKeyHints } from '@robota-sdk/agent-tui';
import { foldReads } from '../items/fold-reads.ts';
import { renderItem } from '../items/render-item.ts';
import type { Stage } from '../stage/stage.ts';

/** Entries at the beginning of a session that are read for its preview. */
const readEntries = 40;

/** A session whose beginning is shown. */
interface PreviewedSession {
  readonly path: string;
  readonly items: ItemReducer;
  /** Ends the reading. */
  readonly end: AbortController;
}

/** The beginning of one session at a time as the transcript shows it, followed while it is in sight. */
export class SessionPreview {
  readonly #stage: Stage;
  readonly #store: Pick<SessionStorePort, 'follow'>;
  #shown: PreviewedSession | undefined;

  constructor(stage: Stage, store: Pick<SessionStorePort, 'follow'>) {
    this.#stage = stage;
    this.#store = store;
  }

  lines(path: string, width: number): readonly string[] {
    const shown = this.#shown?.path === path ? this.#shown : this.#show(path);
    const { look, format, session } = this.#stage;
    const items = foldReads(shown.items.items);
    const columns = Math.max(10, width);
    const lines = items.flatMap((item, index) =>
      renderItem(item, { look, columns, format, isThinkingHidden: true, previous: items[index - 1] }),
    );
    return lines.map((line) => session?.redact(line) ?? line);
  }

  /** The preview instead of the list, until a key closes it. */
  panel(path: string, { rows, onClose }: { rows(): number; onClose(): void }): Component {
    const { look } = this.#stage;
    return {
      render: (width) => [
        ...this.lines(path, width).slice(0, Math.max(1, rows() - 2)),
        renderKeyHints([{ keys: 'esc', text: 'back' }], width, look),
      ],
      handleInput: (event: InputEvent) => {
        if (event.type === 'key' && event.action !== 'release') onClose();
        return true;
      },
    };
  }

  /** Reads no further. */
  close(): void {
    this.#shown?.end.abort();
    this.#shown = undefined;
  }

  #show(path: string): PreviewedSession {
    this.close();
    this.#shown = { path, items: new ItemReducer(), end: new AbortController() };
    void this.#read(this.#shown);
    return this.#shown;
  }

  async #read({ path, items, end }: PreviewedSession): Promise<void> {
    let left = readEntries;
    try {
      for await (const line of this.#store.follow(path, { signal: end.signal })) {
        if (line.kind === 'entry') items.apply({ entry: line.entry });
        this.#stage.refresh();
        if (--left === 0) break;
      }
    } catch {
      // A session that cannot be read has no preview; choosing it says why.
    }
  }
}
