interface Folded<Item, State> {
  count: number;
  last: Item | undefined;
  state: State;
}

/** Folds lists that only grow at their end: known items are not visited again. */
export class GrowingFold<Item, State> {
  readonly #start: () => State;
  readonly #step: (state: State, item: Item, index: number) => State;
  readonly #known = new WeakMap<readonly Item[], Folded<Item, State>>();

  constructor(start: () => State, step: (state: State, item: Item, index: number) => State) {
    this.#start = start;
    this.#step = step;
  }

  of(items: readonly Item[]): State {
    const folded = this.#foldedOf(items);
    for (; folded.count < items.length; folded.count++) {
      folded.last = items[folded.count] as Item;
      folded.state = this.#step(folded.state, folded.last, folded.count);
    }
    return folded.state;
  }

  /** A list that was cut, or whose last known item changed, is folded again from the start. */
  #foldedOf(items: readonly Item[]): Folded<Item, State> {
    const known = this.#known.get(items);
    if (known && known.count <= items.length && items[known.count - 1] === known.last) return known;
    const fresh = { count: 0, last: undefined, state: this.#start() };
    this.#known.set(items, fresh);
    return fresh;
  }
}
