import type { SessionHead } from '../view/session-view.ts';
import { button, element } from './element.ts';
import { count, dateTime, dollars, plural, shortCount } from './numbers.ts';
import { plainText } from './plain-text.ts';

/** The bar above everything: the session's name, search and theme. */
export function renderBar(head: SessionHead, search: HTMLElement): HTMLElement {
  const theme = button('◐', () => toggleTheme(), {
    class: 'theme',
    'aria-label': 'Dark or light',
    title: 'Dark or light',
  });
  const tree = button('☰', () => document.body.classList.toggle('tree-hidden'), {
    class: 'tree-toggle',
    'aria-label': 'Show or hide the tree',
    title: 'Show or hide the tree',
  });
  const title = element('h1', { title: plainText(head.title), dir: 'auto' }, plainText(head.title));
  return element('header', { id: 'bar' }, tree, title, search, theme);
}

/** The header with facts about the session. */
export function renderFacts(head: SessionHead): HTMLElement {
  const { usage, cost, modelCalls } = head.totals;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const share = read === 0 ? '' : ` · ${Math.round((usage.cacheRead / read) * 100)}% cached`;
  const cards = [
    card('Cost', dollars(cost), plural(modelCalls, 'model call')),
    card('Tokens in', shortCount(read), `${count(read)}${share}`),
    card('Tokens out', shortCount(usage.output), count(usage.output)),
    card(
      'Models',
      head.models.map(plainText).join(', ') || '–',
      head.models.length > 1 ? `${head.models.length} used` : '',
    ),
  ];
  const facts: [string, string][] = [
    ['Session', head.id],
    ['Directory', head.cwd],
    ['Began', dateTime(head.created)],
    ['Last', dateTime(head.modified)],
    ['Exported', `${dateTime(head.exported)}${head.redacted ? ', secrets hidden' : ''}`],
  ];
  const list = element(
    'dl',
    { class: 'facts' },
    ...facts.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, plainText(value) || '–')),
    ),
  );
  const problems = head.problems.map((text) => element('p', { class: 'problem' }, plainText(text)));
  return element(
    'section',
    { class: 'overview' },
    element('div', { class: 'cards' }, ...cards),
    list,
    ...problems,
  );
}

function card(name: string, value: string, detail: string): HTMLElement {
  return element(
    'div',
    { class: 'card' },
    element('span', { class: 'card-name' }, name),
    element('span', { class: 'card-value', title: value }, value),
    element('span', { class: 'card-detail' }, detail),
  );
}

function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme
    ? dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
}
