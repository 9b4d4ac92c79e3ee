import type { Component } from '../text/component.ts';

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
