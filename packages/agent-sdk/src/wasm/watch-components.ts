import { type FSWatcher, watch } from 'node:fs';
import type { StateKey } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-sessions';
import type { SessionExtensions } from '../extensions/session-extensions.ts';
import type { ComponentPlace } from './load-components.ts';

/** Several files change together, and a large one is written in pieces. */
const quietMs = 300;

/** Ends with the session. */
const watching: StateKey<{ stop?: () => void }> = {
  name: 'watchedComponents',
  create: () => ({}),
  dispose: ({ stop }) => stop?.(),
};

export interface WatchedSession {
  readonly session: Session;
  readonly extensions: SessionExtensions;
  readonly place: ComponentPlace;
  /** The folders to look at. */
  readonly folders: readonly string[];
}

/** Loads WebAssembly components again when their files change, between two runs, and tells what came of it. */
export function watchComponents({ session, extensions, place, folders }: WatchedSession): void {
  const state = session.state.get(watching);
  if (state.stop) return;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const renew = async () => {
    await session.whenIdle();
    const { renewComponents } = await import('./renew-components.ts');
    const text = await renewComponents(extensions, place);
    if (text !== undefined) session.notify({ level: 'info', text });
  };
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(renew).catch((thrown: unknown) => place.onProblem(String(thrown)));
    }, quietMs).unref();
  };
  const watchers = folders.flatMap((folder) => watcherOf(folder, look));
  state.stop = () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** A folder that can't be watched is loaded by `/reload`. */
function watcherOf(folder: string, look: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || /\.(?:wasm|json)$/.test(name)) look();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
