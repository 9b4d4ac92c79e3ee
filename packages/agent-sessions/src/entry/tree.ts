import type { Entry, Fact } from './entry.ts';
import { projectEntry } from './project-entry.ts';

/** What is wrong with a session's lines, gathered by kind. */
export type TreeProblem = 'duplicate-id' | 'missing-parent' | 'cycle';

interface Node {
  /** Nothing for a fact: those are passed through. */
  readonly entry: Entry | undefined;
  readonly parentId: string | null;
  /** The entry on the line before, which a node falls back to when its parent's line was lost. */
  readonly previousId: string | null;
}

/** The tree of entries, the facts beside it and the leaf that marks the active branch. Adding is flat in cost. */
export class EntryTree {
  readonly #nodes = new Map<string, Node>();
  readonly #entryIdByMessage = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  readonly #problems = new Map<TreeProblem, Set<string>>();
  #lastId: string | null = null;
  #leafId: string | null = null;
  #name: string | undefined;

  get leafId(): string | null {
    return this.#leafId;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get labels(): ReadonlyMap<string, string> {
    return this.#labels;
  }

  /** How many nodes each problem concerns, as far as the branches walked so far have shown. */
  problems(): ReadonlyMap<TreeProblem, number> {
    return new Map([...this.#problems].map(([problem, ids]) => [problem, ids.size]));
  }

  /** Adds an entry, which becomes the leaf. Of two with the same id the later one counts. */
  addEntry(entry: Entry): void {
    const known = this.#nodes.get(entry.id);
    if (known) this.#note('duplicate-id', entry.id);
    const previousId = known ? known.previousId : this.#lastId;
    this.#nodes.set(entry.id, { entry, parentId: entry.parentId, previousId });
    const message = entry.type === 'message' ? entry.message : projectEntry(entry);
    if (message) this.#entryIdByMessage.set(message.id, entry.id);
    this.#lastId = entry.id;
    this.#leafId = entry.id;
  }

  addFact(fact: Fact): void {
    if (!this.#nodes.has(fact.id)) {
      this.#nodes.set(fact.id, { entry: undefined, parentId: fact.parentId, previousId: this.#lastId });
    }
    if (fact.type === 'session_info') this.#name = fact.name === '' ? undefined : fact.name;
    else if (fact.type === 'leaf') this.#leafId = fact.targetId;
    else if (fact.label === '') this.#labels.delete(fact.targetId);
    else this.#labels.set(fact.targetId, fact.label);
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  entry(id: string): Entry | undefined {
    return this.#nodes.get(id)?.entry;
  }

  /** Every entry in the order of the file, all branches. */
  entries(): Entry[] {
    return [...this.#nodes.values()].flatMap(({ entry }) => entry ?? []);
  }

  /** The entry that holds a message. */
  entryIdOf(messageId: string): string | undefined {
    return this.#entryIdByMessage.get(messageId);
  }

  /** The branch from its root to an entry, the leaf unless told otherwise. Ends on any damage. */
  path(toId: string | null = this.#leafId): Entry[] {
    const path: Entry[] = [];
    const seen = new Set<string>();
    let id = toId;
    while (id !== null) {
      if (seen.has(id)) {
        this.#note('cycle', id);
        break;
      }
      seen.add(id);
      const node = this.#nodes.get(id);
      if (!node) break;
      if (node.entry) path.push(node.entry);
      id = this.#parentOf(id, node);
    }
    return path.reverse();
  }

  /** The entry before one in its branch; null at a root. */
  parentIdOf(id: string): string | null {
    let node = this.#nodes.get(id);
    const direct = node?.parentId ?? null;
    if (direct !== null && this.#nodes.get(direct)?.entry) return direct;
    const seen = new Set<string>();
    for (let at = id; node && !seen.has(at); ) {
      seen.add(at);
      const parentId = this.#parentOf(at, node);
      if (parentId === null) return null;
      at = parentId;
      node = this.#nodes.get(at);
      if (node?.entry) return at;
    }
    return null;
  }

  #parentOf(id: string, node: Node): string | null {
    if (node.parentId === null || this.#nodes.has(node.parentId)) return node.parentId;
    this.#note('missing-parent', id);
    return node.previousId;
  }

  #note(problem: TreeProblem, id: string): void {
    const ids = this.#problems.get(problem) ?? new Set();
    this.#problems.set(problem, ids.add(id));
  }
}
