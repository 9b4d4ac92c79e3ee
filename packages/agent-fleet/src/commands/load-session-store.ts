type Open = typeof import('../session-store/open-session-store.ts').openSessionStore;

/** Opens the sessions in the database of a fleet. They are loaded when they are asked for: most commands need none. */
export async function openSessionStore(...given: Parameters<Open>): ReturnType<Open> {
  const store = await import('../session-store/open-session-store.ts');
  return store.openSessionStore(...given);
}
