import type { Component } from '../text/component.ts';

/** Blank lines. */
export class Spacer implements Component {
  readonly #lines: readonly string[];

  constructor(height = 1) {
    this.#lines = Array.from({ length: height }, () => '');
  }

  render(): readonly string[] {
    return this.#lines;
  }
}
