import { element } from './element.ts';

interface Fold {
  /** Everything that can be found inside. */
  readonly text: () => string;
  readonly fill: () => void;
}

const folds = new WeakMap<HTMLDetailsElement, Fold>();

export interface FoldOptions {
  readonly class: string;
  readonly summary: readonly (Node | string)[];
  /** Its text for search; called only when searching. */
  readonly text: () => string;
  readonly content: () => readonly Node[];
  readonly isOpen?: boolean;
}

/** Something that is shown when it is opened, and made only then. */
export function fold({
  summary,
  text,
  content,
  isOpen = false,
  ...options
}: FoldOptions): HTMLDetailsElement {
  const made = element('details', { class: options.class }, element('summary', {}, ...summary));
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    made.append(element('div', { class: 'fold-content' }, ...content()));
  };
  folds.set(made, { text, fill });
  made.addEventListener('toggle', () => {
    if (made.open) fill();
  });
  if (isOpen) {
    fill();
    made.open = true;
  }
  return made;
}

/** Opens whatever inside an element holds what is looked for. */
export function openFolds(root: ParentNode, matches: (text: string) => boolean): void {
  for (const details of root.querySelectorAll('details')) {
    const found = folds.get(details);
    if (!found || !matches(found.text())) continue;
    found.fill();
    details.open = true;
    openFolds(details, matches);
  }
}

/** Makes the inside of every fold and opens it, as paper needs it. */
export function fillFolds(root: ParentNode): void {
  openFolds(root, () => true);
}
