import type { Component } from '../text/component.ts';
import { textWidth } from '../text/styled-text.ts';

/** Components one below the other. */
export class Container implements Component {
  #children: Component[] = [];

  constructor(children: readonly Component[] = []) {
    this.#children = [...children];
  }

  get children(): readonly Component[] {
    return this.#children;
  }

  add(child: Component): void {
    this.#children.push(child);
  }

  remove(child: Component): void {
    this.#children = this.#children.filter((one) => one !== child);
  }

  clear(): void {
    this.#children = [];
  }

  invalidate(): void {
    for (const child of this.#children) child.invalidate?.();
  }

  render(width: number): readonly string[] {
    return this.#children.flatMap((child) => child.render(width));
  }
}

/** The room inside a box, and its colour. */
export interface BoxOptions {
  readonly paddingX?: number;
  readonly paddingY?: number;
  readonly background?: (line: string) => string;
}

/** Components with padding and a background; redrawn only when one of their lines changed. */
export class Box extends Container {
  readonly #paddingX: number;
  readonly #paddingY: number;
  #background: ((line: string) => string) | undefined;
  #kept:
    | { readonly width: number; readonly inner: readonly string[]; readonly lines: readonly string[] }
    | undefined;

  constructor(children: readonly Component[] = [], options: BoxOptions = {}) {
    super(children);
    this.#paddingX = options.paddingX ?? 1;
    this.#paddingY = options.paddingY ?? 0;
    this.#background = options.background;
  }

  override invalidate(): void {
    this.#kept = undefined;
    super.invalidate();
  }

  override render(width: number): readonly string[] {
    const paddingX = Math.min(this.#paddingX, Math.max(0, Math.floor((width - 1) / 2)));
    const inner = super.render(width - 2 * paddingX);
    const kept = this.#kept;
    if (kept && kept.width === width && isSame(kept.inner, inner)) return kept.lines;
    const margin = ' '.repeat(paddingX);
    const blank = Array.from({ length: this.#paddingY }, () => '');
    const padded = inner.length === 0 ? [] : [...blank, ...inner.map((line) => margin + line), ...blank];
    const lines = padded.map((line) => this.#fill(line, width));
    this.#kept = { width, inner, lines };
    return lines;
  }

  #fill(line: string, width: number): string {
    if (!this.#background) return line;
    return this.#background(line + ' '.repeat(Math.max(0, width - textWidth(line))));
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
