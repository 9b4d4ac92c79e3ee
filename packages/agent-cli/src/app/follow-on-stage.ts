import type { Message, SessionStorePort } from '@robota-sdk/agent-sdk';
import { itemsOf } from '@robota-sdk/agent-sessions';
import { type InputEvent, truncateText } from '@robota-sdk/agent-tui';
import type { Panel, Stage } from './stage/stage.ts';

/** Shows a session as another process writes it, until a key ends it. */
export async function followOnStage(store: SessionStorePort, reference: string, stage: Stage): Promise<void> {
  const end = new AbortController();
  const panel = new WatchPanel(() => end.abort());
  const open = stage.openPanel(panel);
  const whole = new WholeMessages();
  try {
    for await (const line of store.follow(reference, { signal: end.signal })) {
      if (line.kind !== 'entry') continue;
      const { entry } = line;
      if (entry.type === 'compaction')
        stage.print({ kind: 'notice', level: 'info', text: 'The older part was summed up.' });
      if (entry.type === 'shell') {
        const { command, output, exitCode, status, durationMs, isPrivate } = entry;
        const took = durationMs === undefined ? {} : { durationMs };
        stage.print({ kind: 'shell', command, output, exitCode, status, isPrivate, ...took });
      }
      if (entry.type === 'message') for (const item of itemsOf(whole.push(entry.message))) stage.print(item);
    }
  } finally {
    open.close();
  }
}

/** Hands out calls together with their results, so that none of them seems to be broken off. */
class WholeMessages {
  #held: Message[] = [];
  readonly #open = new Set<string>();

  push(message: Message): readonly Message[] {
    this.#held.push(message);
    if (message.role === 'tool') this.#open.delete(message.toolCallId);
    if (message.role === 'assistant')
      for (const block of message.content) if (block.type === 'tool-call') this.#open.add(block.id);
    return this.#open.size === 0 ? this.#held.splice(0) : [];
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
