import type { SessionStorePort } from '@robota-sdk/agent-sdk/front-end';
import { ItemReducer } from '@robota-sdk/agent-sessions';
import { type Component, type InputEvent, renderKeyHints } from '@robota-sdk/agent-tui';
import { foldReads } from '../items/fold-reads.ts';
import { renderItem } from '../items/render-item.ts';
import type { Stage } from '../stage/stage.ts';

/** Entries at the beginning of a session that are read for its preview. */
const readEntries = 40;
/** A file that ends earlier is not followed any longer than this. */
const patienceMs = 150;

/** The beginning of sessions as the transcript shows it, read when it is first asked for. */
export class SessionPreview {
  readonly #stage: Stage;
  readonly #store: SessionStorePort;
  readonly #read = new Map<string, ItemReducer>();

  constructor(stage: Stage, store: SessionStorePort) {
    this.#stage = stage;
    this.#store = store;
  }

  lines(path: string, width: number): readonly string[] {
    const known = this.#read.get(path);
    if (!known) {
      void this.#load(path);
      return [];
    }
    const { look, format, session } = this.#stage;
    const items = foldReads(known.items);
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

  async #load(path: string): Promise<void> {
    const items = new ItemReducer();
    this.#read.set(path, items);
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), patienceMs).unref();
    let left = readEntries;
    try {
      for await (const line of this.#store.follow(path, { signal: end.signal })) {
        if (line.kind === 'entry') items.apply({ entry: line.entry });
        if (--left === 0) break;
      }
    } catch {
      // A session that cannot be read has no preview; choosing it says why.
    } finally {
      clearTimeout(timer);
      this.#stage.refresh();
    }
  }
}
