import { LostLeaseError } from '../../contract/database.ts';
import type { SnapshotStore } from '../tree/snapshot-store.ts';

/** Keeps each snapshot in the first store that takes it, and finds the latest of all. */
export function firstStore(stores: readonly SnapshotStore[]): SnapshotStore {
  return {
    save: async (attempt, snapshot, base) => {
      let failure: unknown;
      for (const store of stores) {
        try {
          return await store.save(attempt, snapshot, base);
        } catch (thrown) {
          if (isFinal(thrown)) throw thrown;
          failure ??= thrown;
        }
      }
      throw failure;
    },
    find: async (attempt) => {
      const found = await Promise.all(stores.map((store) => store.find(attempt).catch(() => undefined)));
      const present = found.filter((each) => each !== undefined);
      return present.sort((one, other) => other.number - one.number)[0];
    },
  };
}

/** Another store must not take what a worker without the lease offers. */
function isFinal(thrown: unknown): boolean {
  return thrown instanceof LostLeaseError || (thrown instanceof Error && thrown.name === 'AbortError');
}
