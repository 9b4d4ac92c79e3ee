import { type FSWatcher, watch } from 'node:fs';
import { entriesIn } from '@robota-sdk/agent-config';
import { problemOf, type StateKey } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import type { ComponentContext } from './load-components.ts';
import type { ComponentSlots } from './renew-components.ts';

/** Several files change together, and a large one is written in pieces. */
const quietMs = 300;

/** Ends with the session. */
const watching: StateKey<{ stop?: () => void }> = {
  name: 'watchedComponents',
  create: () => ({}),
  dispose: ({ stop }) => stop?.(),
};

export interface WatchedSession {
  readonly session: Conversation;
  readonly extensions: ComponentSlots;
  readonly place: ComponentContext;
  /** The folders to look at. */
  readonly folders: readonly string[];
}

/** Reloads WebAssembly components when their files change, between two runs, and reports the result. */
export function watchComponents({ session, extensions, place, folders }: WatchedSession): void {
  const state = session.state.get(watching);
  if (state.stop) return;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let watchers: FSWatcher[] = [];
  let isOver = false;
  const renew = async () => {
    await session.whenIdle();
    if (isOver) return;
    follow();
    const { renewComponents } = await import('./renew-components.ts');
    const text = await renewComponents(extensions, place);
    if (text !== undefined) session.notify({ level: 'info', text });
  };
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(renew).catch((thrown: unknown) => place.onProblem(problemOf(thrown)));
    }, quietMs).unref();
  };
  /** Subfolders may be added and removed, so they are listed again each time. */
  const follow = () => {
    for (const watcher of watchers) watcher.close();
    watchers = folders.flatMap(withNested).flatMap((folder) => watcherOf(folder, look));
  };
  follow();
  state.stop = () => {
    isOver = true;
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** A component may have a folder to itself. */
function withNested(folder: string): string[] {
  const nested = entriesIn(folder, { root: undefined }).filter(
    ({ name, kind }) => kind === 'directory' && !name.startsWith('.'),
  );
  return [folder, ...nested.map(({ path }) => path)];
}

/** A folder that can't be watched is loaded by `/reload`. */
function watcherOf(folder: string, look: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (!name?.startsWith('.')) look();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
