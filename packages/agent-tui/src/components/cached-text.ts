import type { Component } from '../text/component.ts';

/** A text that is drawn once for a width, until it changes. */
export abstract class CachedText implements Component {
  #text: string;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    if (text === this.#text) return;
    this.#text = text;
    this.#kept = undefined;
  }

  invalidate(): void {
    this.#kept = undefined;
  }

  render(width: number): readonly string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.draw(width) };
    return this.#kept.lines;
  }

  protected abstract draw(width: number): readonly string[];
}
