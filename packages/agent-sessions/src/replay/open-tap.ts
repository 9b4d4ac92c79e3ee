import { AgentError } from '@robota-sdk/agent-core';
import { migrateMessage } from '../entry/migrate.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { readCassette } from './read-cassette.ts';
import { type RecordingOptions, recordSession } from './record-session.ts';
import { type Replay, replaySession } from './replay-session.ts';
import type { SessionTap } from './session-tap.ts';

/** Records or replays a session, by file. */
export interface TapChoice {
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
}

/** A tap, and the conversation a replay begins with. */
interface OpenedTap {
  readonly tap: SessionTap;
  readonly replay?: Replay;
  readonly handle?: SessionHandle;
}

/** Opens the recording that a session is to write or to live from. */
export async function openTap(
  { record, replay }: TapChoice,
  place: Omit<RecordingOptions, 'file'>,
): Promise<OpenedTap> {
  if (record !== undefined && replay !== undefined)
    throw new AgentError('usage', 'A session is either recorded or replayed; leave one of the two out.');
  if (replay === undefined) return { tap: await recordSession({ ...place, file: record ?? '' }) };
  const cassette = await readCassette(replay);
  const { history } = cassette.header;
  const tap = replaySession(cassette, place);
  if (history.length === 0) return { tap, replay: tap };
  const handle = await new MemorySessionStore().create({ cwd: place.cwd });
  await handle.appendAll(history.map((message) => ({ type: 'message', message: migrateMessage(message) })));
  return { tap, replay: tap, handle };
}
