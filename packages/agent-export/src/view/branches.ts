import { isRequestOrigin } from '@robota-sdk/agent-sessions';
import type { ViewEntry } from './session-view.ts';

/** A link target: a prompt, a summary, or the start of a branch. `depth` grows where the tree forks. */
export interface Waypoint {
  readonly entry: ViewEntry;
  readonly depth: number;
  /** True if it is one of several branches. */
  readonly forks: boolean;
}

/** The tree of a session: paths, leaves and the places worth listing. Every question costs a look-up. */
export class Branches {
  readonly #byId = new Map<string, ViewEntry>();
  readonly #children = new Map<string | null, ViewEntry[]>();
  readonly #latestLeaf = new Map<string, string>();

  constructor(entries: readonly ViewEntry[]) {
    for (const entry of entries) this.#byId.set(entry.id, entry);
    // With one parent each, no circle can be reached from a root.
    for (const entry of this.#byId.values()) {
      const siblings = this.#children.get(entry.parentId);
      if (siblings) siblings.push(entry);
      else this.#children.set(entry.parentId, [entry]);
    }
    for (const { id, parentId } of [...this.#byId.values()].reverse()) {
      const leaf = this.#latestLeaf.get(id) ?? id;
      this.#latestLeaf.set(id, leaf);
      if (parentId !== null && !this.#latestLeaf.has(parentId)) this.#latestLeaf.set(parentId, leaf);
    }
  }

  /** From the root to an entry. */
  path(toId: string | null): readonly ViewEntry[] {
    const path: ViewEntry[] = [];
    let entry = toId === null ? undefined : this.#byId.get(toId);
    while (entry && path.length <= this.#byId.size) {
      path.push(entry);
      entry = entry.parentId === null ? undefined : this.#byId.get(entry.parentId);
    }
    return path.reverse();
  }

  /** The end of the branch through an entry that was written last. */
  latestLeaf(id: string): string {
    return this.#latestLeaf.get(id) ?? id;
  }

  /** The ends of all branches, in the order of the file. */
  leaves(): readonly ViewEntry[] {
    return [...this.#byId.values()].filter(({ id }) => !this.#children.has(id));
  }

  /** The places worth listing, each behind the one it follows. */
  waypoints(): readonly Waypoint[] {
    const found: Waypoint[] = [];
    const waiting: { entry: ViewEntry; depth: number; forks: boolean }[] = [];
    const push = (parentId: string | null, depth: number, { isBegun = false } = {}) => {
      const children = this.#children.get(parentId) ?? [];
      const forks = children.length > 1;
      for (const entry of children.toReversed())
        waiting.push({ entry, depth: forks ? depth + 1 : depth, forks: forks || isBegun });
    };
    push(null, 0);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { entry, depth, forks } = next;
      // A branch is named after its first visible message, so context entries pass their position on.
      const passes = forks && isContext(entry) && this.#children.has(entry.id);
      if (!passes && (forks || isLandmark(entry))) found.push(next);
      push(entry.id, depth, { isBegun: passes });
    }
    return found;
  }
}

function isContext(entry: ViewEntry): boolean {
  return entry.label === undefined && entry.kind === 'prompt' && entry.origin === 'reminder';
}

/** True if an entry is listed wherever it stands. */
function isLandmark(entry: ViewEntry): boolean {
  if (entry.label !== undefined || entry.kind === 'summary') return true;
  return entry.kind === 'prompt' && isRequestOrigin(entry.origin);
}
