import { WakeUp } from './wake-up.ts';

interface Slot<T> {
  readonly iterator: AsyncIterator<T>;
  ready?: IteratorResult<T> | { readonly thrown: unknown };
  isOver: boolean;
}

/** Yields what several sources yield, as it comes; ends with the first of them. Takes one value of each ahead. */
export async function* mergeEvents<T>(...sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const wake = new WakeUp();
  const slots = sources.map(
    (source): Slot<T> => ({ iterator: source[Symbol.asyncIterator](), isOver: false }),
  );
  // Not a race of promises: those that stay pending would remember every race.
  const pull = (slot: Slot<T>) => {
    delete slot.ready;
    slot.iterator.next().then(
      (result) => {
        slot.ready = result;
        wake.set();
      },
      (thrown: unknown) => {
        slot.ready = { thrown };
        wake.set();
      },
    );
  };
  for (const slot of slots) pull(slot);
  try {
    for (;;) {
      const slot = slots.find(({ ready }) => ready !== undefined);
      if (!slot?.ready) {
        await wake.wait();
        continue;
      }
      const { ready } = slot;
      if ('thrown' in ready) throw ready.thrown;
      if (ready.done) return;
      pull(slot);
      yield ready.value;
    }
  } finally {
    for (const { iterator } of slots) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
