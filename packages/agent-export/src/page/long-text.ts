import { button, element } from './element.ts';

const shownLines = 24;
const largestLine = 20_000;

/** A text in its own box; a long one shows its beginning until the reader wants all of it. */
export function longText(text: string, render: (text: string) => Node[], kind = 'output'): HTMLElement {
  const pre = element('pre', { class: kind, tabindex: '0' });
  const lines = text.split('\n');
  const start = lines.slice(0, shownLines).join('\n').slice(0, largestLine);
  const box = element('div', { class: 'long-text' }, pre);
  if (start.length === text.length || lines.length <= shownLines + 4) {
    if (text.length <= largestLine * 2) {
      pre.append(...render(text));
      return box;
    }
  }
  pre.append(...render(start));
  const more = lines.length > shownLines ? `all ${lines.length.toLocaleString('en')} lines` : 'all of it';
  const showAll = button(`Show ${more}`, () => {
    pre.replaceChildren(...render(text));
    showAll.remove();
  });
  showAll.className = 'show-all';
  box.append(showAll);
  return box;
}

/** Shows the whole of every long text inside an element. */
export function showAll(root: ParentNode): void {
  for (const found of root.querySelectorAll<HTMLButtonElement>('button.show-all')) found.click();
}
