import type { SessionStorePort } from '@robota-sdk/agent-sdk/front-end';
import { ItemReducer } from '@robota-sdk/agent-sessions';
import { type InputEvent, truncateText } from '@robota-sdk/agent-tui';
import type { Panel, Stage } from './stage/stage.ts';

/** Shows a session as another process writes it, until a key ends it. */
export async function followOnStage(store: SessionStorePort, reference: string, stage: Stage): Promise<void> {
  const end = new AbortController();
  const panel = new WatchPanel(() => end.abort());
  const open = stage.openPanel(panel);
  const items = new ItemReducer();
  try {
    for await (const line of store.follow(reference, { signal: end.signal })) {
      if (line.kind !== 'entry') continue;
      items.apply({ entry: line.entry });
      for (const item of items.takeFinished()) stage.print(item);
    }
  } finally {
    open.close();
  }
}

class WatchPanel implements Panel {
  rows = 1;
  readonly #end: () => void;

  constructor(end: () => void) {
    this.#end = end;
  }

  cancel(): void {
    this.#end();
  }

  handleInput(event: InputEvent): boolean {
    if (
      event.type === 'key' &&
      event.action !== 'release' &&
      /^(?:enter|escape|ctrl\+[cd]|q)$/.test(event.id)
    )
      this.#end();
    return true;
  }

  render(width: number): readonly string[] {
    return [truncateText(' Watching; enter ends.', width)];
  }
}
