import type { ServerContext } from '@modelcontextprotocol/server';
import type { InteractiveSession, SessionEvent } from '@robota-sdk/agent-sdk/front-end';

const longestText = 200;

/** Tells a client that asked for it what a session is doing, tool by tool. */
export class ProgressReport {
  readonly #end: () => void = () => {};

  constructor(context: ServerContext, session: InteractiveSession) {
    const token = context.mcpReq._meta?.progressToken;
    if (token === undefined) return;
    let progress = 0;
    this.#end = session.subscribe((event) => {
      const message = messageOf(event, session);
      if (message === undefined) return;
      // The client may be gone.
      context.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress: ++progress, message },
        })
        .catch(() => {});
    });
  }

  end(): void {
    this.#end();
  }
}

function messageOf(event: SessionEvent, session: InteractiveSession): string | undefined {
  if (event.type === 'turn-start') return `Turn ${event.turn}`;
  if (event.type !== 'tool-start') return undefined;
  const { name, input } = event.call;
  const text = session.redact(`${name} ${JSON.stringify(input)}`);
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
