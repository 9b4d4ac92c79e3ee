type Child = Node | string;

/** Attributes that can neither run nor load anything. */
interface Attributes {
  readonly class?: string;
  readonly id?: string;
  readonly dir?: 'auto';
  readonly title?: string;
  readonly type?: string;
  readonly role?: string;
  readonly tabindex?: string;
  readonly placeholder?: string;
  readonly datetime?: string;
  readonly scope?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-hidden'?: string;
  readonly 'aria-live'?: string;
  readonly 'aria-current'?: string;
}

/** Makes an element; texts become text and never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Makes an element of a drawing. */
export function drawing<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(label: Child, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}
