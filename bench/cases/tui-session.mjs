import { join } from 'node:path';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { sampleMessage } from '../session-messages.mjs';

const border = '─'.repeat(20);
/** The footer names the model as soon as there is a session. */
const modelName = 'Claude';
const meanBytes = 100;

/** A home with one session of the project, of so many items: prompts, calls with their results, and answers. */
export async function homeWith(
  /** @type {import('../bench.mjs').Bench} */ bench,
  /** @type {number} */ items,
) {
  const home = bench.directory(`home-of-${items}`);
  const store = new JsonlSessionStore({ home: join(home, '.robota') });
  const handle = await store.create({ cwd: bench.cwd, id: 'long' });
  // A call and its result are one item.
  const messages = Math.ceil(items / 3) * 4;
  for (let index = 0; index < messages; index++)
    await handle.append({ type: 'message', message: sampleMessage(index, meanBytes) });
  await handle.close();
  return home;
}

/**
 * The product in a terminal, optionally resuming the session of a home.
 * @param {import('../bench.mjs').Bench} bench
 * @param {string} script
 * @param {string} [home]
 */
export function conversation(bench, script, home) {
  if (home === undefined) return bench.converse(script);
  const program = bench.converse(script, '--continue');
  return { ...program, env: { ...program.env, HOME: home } };
}

/** Waits for the editor; tells when it came. */
export function painted(/** @type {import('./tui-terminal.mjs').BenchTerminal} */ terminal) {
  return terminal.shows(border, terminal.startedAt);
}

/** Waits for the session; tells when it was open. */
export function opened(/** @type {import('./tui-terminal.mjs').BenchTerminal} */ terminal) {
  return terminal.shows(modelName, terminal.startedAt);
}
