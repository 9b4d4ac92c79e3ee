import { AgentError, type JsonObject } from '@robota-sdk/agent-core';
import {
  dispatchInput,
  findCommandRow,
  type InputResult,
  type InteractiveSession,
  readInput,
} from '@robota-sdk/agent-sdk/front-end';

/** A text that a page sends to a session. */
export interface PageInput {
  readonly text: string;
  readonly as: 'prompt' | 'steer' | 'queue';
  /** `!command` lines may run. */
  readonly shell: boolean;
}

/**
 * Sends a text to a session. Resolves when a run has begun or the text is queued; a command is waited for. Its reply may have
 * a text for the composer, and another session to open.
 */
export async function sendText(
  session: InteractiveSession,
  { text, as, shell }: PageInput,
): Promise<JsonObject> {
  if (text.trim() === '') throw new AgentError('usage', 'The message is empty.');
  const input = readInput(session, text);
  const { kind } = input;
  if (kind === 'shell' && !shell)
    throw new AgentError('usage', 'Shell commands are off on this page.', {
      hint: 'Start the server with: robota web --shell',
    });
  if (kind === 'command' && !shell) assertHarmless(input.name);
  if (as === 'queue' && session.isRunning && kind === 'prompt') {
    session.followUp([{ type: 'text', text }]);
    return {};
  }
  const result = await begun(session, text);
  if (!result || result.kind === 'prompt') return {};
  if (!result.success) throw new AgentError('usage', result.message || 'The command failed.');
  const { message, edit, switchTo } = result;
  const open = typeof switchTo === 'object' && 'open' in switchTo ? switchTo.open : '';
  return {
    message,
    ...(edit === undefined ? {} : { edit }),
    // The transcript of an agent is named by its path, which no page can open.
    ...(/^[\w-]+$/.test(open) ? { open } : {}),
  };
}

/**
 * The commands of the product that a page may use: they read, or change the conversation and what a review can change. The
 * others write files where they are told to, change settings, or start programs; those of the user's own files are prompts.
 */
const harmless: ReadonlySet<string> = new Set(
  'agent btw clear compact context cost diff fork help init mode model name pin plan recall review rewind skills tasks todo tree undo unpin usage'.split(
    ' ',
  ),
);

function assertHarmless(name: string): void {
  const row = findCommandRow(name);
  if (!row || harmless.has(row.name)) return;
  throw new AgentError('usage', `/${row.name} is off on this page: it can write files or start programs.`, {
    hint: 'Use it in a terminal, or start the server with: robota web --shell',
  });
}

/** The result of an input, or nothing once a run has begun: its end is told by events. */
function begun(session: InteractiveSession, text: string): Promise<InputResult | undefined> {
  return new Promise((resolve, reject) => {
    const stop = session.subscribe(({ type }) => {
      // A message that steers the active run is queued.
      if (type !== 'run-start' && type !== 'queue-change') return;
      stop();
      resolve(undefined);
    });
    dispatchInput(session, text).then(
      (result) => {
        stop();
        resolve(result);
      },
      (thrown: unknown) => {
        stop();
        reject(thrown);
      },
    );
  });
}
