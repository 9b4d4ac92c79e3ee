/** A row that a list can draw. */
export interface VirtualRow {
  readonly key: string;
}

export interface VirtualListOptions<T extends VirtualRow> {
  /** Makes the element of a row. */
  readonly render: (row: T) => HTMLElement;
  /** A guess of the height of a row that was never drawn, in pixels. */
  readonly guess: (row: T) => number;
  /** The reader is near the first row. */
  readonly onTop: () => void;
  /** The reader reached the end, or left it. */
  readonly onEnd: (isAtEnd: boolean) => void;
}

const beyond = 800;
const nearEnd = 48;
const nearTop = 1500;

/**
 * A list that has only the rows near the screen in the document, for tens of thousands of them. Rows have any height:
 * it is guessed until they were drawn once. The row that the reader looks at stays where it is.
 */
export class VirtualList<T extends VirtualRow> {
  readonly root: HTMLElement;
  readonly #options: VirtualListOptions<T>;
  readonly #above = document.createElement('div');
  readonly #rowsBox = document.createElement('div');
  readonly #below = document.createElement('div');
  readonly #tail = document.createElement('div');
  readonly #heights = new Map<string, number>();
  readonly #shown = new Map<string, { readonly row: T; readonly box: HTMLElement }>();
  readonly #sizes: ResizeObserver;
  #rows: readonly T[] = [];
  #offsets: Float64Array = new Float64Array(1);
  #isAtEnd = true;
  #frame = 0;

  constructor(root: HTMLElement, options: VirtualListOptions<T>) {
    this.root = root;
    this.#options = options;
    this.#rowsBox.className = 'virtual-rows';
    root.append(this.#above, this.#rowsBox, this.#below, this.#tail);
    this.#sizes = new ResizeObserver((changes) => this.#measure(changes));
    this.#sizes.observe(this.#tail);
    this.#sizes.observe(root);
    root.addEventListener('scroll', () => this.#scrolled(), { passive: true });
  }

  /** Elements after the last row, such as the answer that is being written. */
  get tail(): HTMLElement {
    return this.#tail;
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Shows other rows. Those with the same identity are not drawn again. */
  show(rows: readonly T[]): void {
    const anchor = this.#anchor();
    this.#rows = rows;
    this.#layOut();
    this.#draw();
    this.#restore(anchor);
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.#setAtEnd(true);
    this.root.scrollTop = this.root.scrollHeight;
    this.#draw();
    this.root.scrollTop = this.root.scrollHeight;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#sizes.disconnect();
  }

  #heightOf(row: T): number {
    return this.#heights.get(row.key) ?? this.#options.guess(row);
  }

  #layOut(): void {
    const offsets = new Float64Array(this.#rows.length + 1);
    for (const [index, row] of this.#rows.entries())
      offsets[index + 1] = Number(offsets[index]) + this.#heightOf(row);
    this.#offsets = offsets;
  }

  /** The first row whose end is below a position. */
  #indexAt(position: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(this.#offsets[middle + 1]) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts the rows near the screen into the document, and takes the others out. */
  #draw(): void {
    const total = Number(this.#offsets.at(-1));
    const view = this.root.clientHeight;
    const top = this.#isAtEnd ? Math.max(0, total - view) : this.root.scrollTop;
    const first = this.#indexAt(top - beyond);
    const last = Math.min(this.#rows.length, this.#indexAt(top + view + beyond) + 1);
    const wanted = new Set<string>();
    let before: Element | null = null;
    for (const row of this.#rows.slice(first, last)) {
      wanted.add(row.key);
      const box = this.#boxOf(row);
      const next: Element | null =
        before === null ? this.#rowsBox.firstElementChild : before.nextElementSibling;
      if (next !== box) this.#rowsBox.insertBefore(box, next);
      before = box;
    }
    for (const [key, { box }] of this.#shown) {
      if (wanted.has(key)) continue;
      this.#sizes.unobserve(box);
      box.remove();
      this.#shown.delete(key);
    }
    this.#above.style.height = `${this.#offsets[first]}px`;
    this.#below.style.height = `${total - Number(this.#offsets[last])}px`;
  }

  #boxOf(row: T): HTMLElement {
    const known = this.#shown.get(row.key);
    if (known?.row === row) return known.box;
    const box = this.#options.render(row);
    if (known) {
      this.#sizes.unobserve(known.box);
      known.box.replaceWith(box);
    }
    this.#shown.set(row.key, { row, box });
    box.dataset.row = row.key;
    this.#sizes.observe(box);
    return box;
  }

  /** Takes over real heights; the row at the top of the screen keeps its place. */
  #measure(changes: readonly ResizeObserverEntry[]): void {
    const anchor = this.#anchor();
    let isChanged = false;
    for (const { target, borderBoxSize } of changes) {
      const { row } = target instanceof HTMLElement ? target.dataset : {};
      const height = borderBoxSize[0]?.blockSize ?? 0;
      if (row === undefined || height === 0 || this.#heights.get(row) === height) continue;
      this.#heights.set(row, height);
      isChanged = true;
    }
    if (isChanged) {
      this.#layOut();
      this.#draw();
    }
    this.#restore(anchor);
  }

  /** The row at the top of the screen, and how far it is scrolled out. */
  #anchor(): { readonly key: string; readonly offset: number } | undefined {
    if (this.#isAtEnd) return undefined;
    // The first row may stand for those that are not loaded; the one after it moves when they come.
    const index = Math.max(this.#indexAt(this.root.scrollTop), Math.min(1, this.#rows.length - 1));
    const row = this.#rows[index];
    return row && { key: row.key, offset: this.root.scrollTop - Number(this.#offsets[index]) };
  }

  #restore(anchor: { readonly key: string; readonly offset: number } | undefined): void {
    if (this.#isAtEnd) {
      this.root.scrollTop = this.root.scrollHeight;
      return;
    }
    if (!anchor) return;
    const index = this.#rows.findIndex(({ key }) => key === anchor.key);
    if (index < 0) return;
    const top = Number(this.#offsets[index]) + anchor.offset;
    if (Math.abs(top - this.root.scrollTop) < 1) return;
    this.root.scrollTop = top;
    this.#draw();
  }

  /** The end is left only by the reader, never by rows that grow. */
  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    this.#setAtEnd(scrollHeight - scrollTop - clientHeight < nearEnd);
    if (scrollTop < nearTop) this.#options.onTop();
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #setAtEnd(isAtEnd: boolean): void {
    if (this.#isAtEnd === isAtEnd) return;
    this.#isAtEnd = isAtEnd;
    this.#options.onEnd(isAtEnd);
  }
}
