import type { ViewEntry } from '../view/session-view.ts';
import { button, element } from './element.ts';
import { openFolds } from './fold.ts';
import { showAll } from './long-text.ts';
import { plural } from './numbers.ts';
import { callsIn, entryText, resultsIn } from './render-entry.ts';
import type { Timeline } from './timeline.ts';

const pause = 150;

/** Finds text in the branch that is shown, also where nothing was made yet, and goes from place to place. */
export class Search {
  readonly root: HTMLElement;
  readonly #input = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search  ( / )',
    'aria-label': 'Search this conversation',
  });
  readonly #status = element('span', { class: 'search-status', role: 'status', 'aria-live': 'polite' });
  readonly #timeline: () => Timeline;
  readonly #all: readonly ViewEntry[];
  /** Texts are made once: a branch is searched with every key. */
  readonly #texts = new WeakMap<ViewEntry, string>();
  #pattern: RegExp | undefined;
  #hits: readonly string[] = [];
  #at = -1;
  #summary = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeline: () => Timeline, all: readonly ViewEntry[]) {
    this.#timeline = timeline;
    this.#all = all;
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.refresh(), pause);
    });
    this.#input.addEventListener('keydown', (event) => this.#onKey(event));
    this.root = element(
      'div',
      { class: 'search', role: 'search' },
      this.#input,
      button('↑', () => this.#go(-1), { 'aria-label': 'Previous match' }),
      button('↓', () => this.#go(1), { 'aria-label': 'Next match' }),
      this.#status,
    );
    document.addEventListener('keydown', (event) => this.#onShortcut(event));
  }

  /** Looks again, after another text was typed or another branch is shown. */
  refresh(): void {
    const wanted = this.#input.value.trim();
    this.#pattern =
      wanted === '' ? undefined : new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
    this.#at = -1;
    const { path } = this.#timeline();
    const found = this.#countIn(path);
    this.#hits = [...new Set(found.map(({ id }) => id))];
    this.#summary = this.#describe(
      found.reduce((sum, { matches }) => sum + matches, 0),
      path,
    );
    this.#status.textContent = this.#summary;
    for (const article of this.#timeline().rendered()) this.mark(article);
  }

  /** Marks the matches inside an article that was made. */
  mark(article: HTMLElement): void {
    for (const mark of article.querySelectorAll('mark')) mark.replaceWith(...mark.childNodes);
    article.normalize();
    if (this.#pattern) highlight(article, this.#pattern);
  }

  /** Matches by entry; those in a result count where its call is shown. */
  #countIn(entries: readonly ViewEntry[]): readonly { id: string; matches: number }[] {
    const pattern = this.#pattern;
    if (!pattern) return [];
    const results = resultsIn(entries);
    const called = callsIn(entries);
    return entries.flatMap((entry) => {
      if (entry.kind === 'result' && called.has(entry.callId)) return [];
      const text = this.#texts.get(entry) ?? entryText(entry, results);
      this.#texts.set(entry, text);
      const matches = text.match(pattern)?.length ?? 0;
      return matches === 0 ? [] : [{ id: entry.id, matches }];
    });
  }

  #describe(matches: number, path: readonly ViewEntry[]): string {
    if (!this.#pattern) return '';
    const shown = new Set(path.map(({ id }) => id));
    const others = this.#all.filter(({ id }) => !shown.has(id));
    const elsewhere = this.#countIn(others).reduce((sum, found) => sum + found.matches, 0);
    const more = elsewhere === 0 ? '' : `, ${elsewhere} on other branches`;
    return (matches === 0 ? 'No match' : plural(matches, 'match').replace('matchs', 'matches')) + more;
  }

  #go(step: number): void {
    if (this.#hits.length === 0 || !this.#pattern) return;
    this.#at = (this.#at + step + this.#hits.length) % this.#hits.length;
    const id = this.#hits[this.#at] ?? '';
    const pattern = this.#pattern;
    const article = this.#timeline().reveal(id);
    if (!article) return;
    openFolds(article, (text) => text.search(pattern) >= 0);
    if (!article.querySelector('mark')) showAll(article);
    this.mark(article);
    const target = article.querySelector('mark') ?? article;
    target.scrollIntoView({ block: 'center' });
    requestAnimationFrame(() => target.scrollIntoView({ block: 'center' }));
    this.#status.textContent = `${this.#at + 1}/${this.#hits.length} places · ${this.#summary}`;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      this.#input.value = '';
      this.refresh();
      this.#input.blur();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(this.#timer);
    if (this.#isStale()) this.refresh();
    this.#go(event.shiftKey ? -1 : 1);
  }

  #onShortcut(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#input.focus();
    this.#input.select();
  }

  #isStale(): boolean {
    const wanted = this.#input.value.trim().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    return (this.#pattern?.source ?? '') !== wanted;
  }
}

const blocks = 'pre, p, li, td, th, h2, h3, h4, h5, h6, summary, article, .line';
/** Names, numbers and buttons around the text of a session, which a search does not count. */
const unsearched =
  '.entry-head, .number, .sign, .gap, .count, .status, .box, .language, button, svg, .summary-fold > summary, .thinking > summary, .other-fold > summary .label, .thinking-hidden';

/** Marks matches, also those that go over several elements of a block, such as coloured words. */
function highlight(root: HTMLElement, pattern: RegExp): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const groups = new Map<Element | null, Text[]>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(unsearched)) continue;
    const block = node.parentElement?.closest(blocks) ?? null;
    const group = groups.get(block);
    if (group) group.push(node);
    else groups.set(block, [node]);
  }
  for (const nodes of groups.values()) markGroup(nodes, pattern);
}

function markGroup(nodes: readonly Text[], pattern: RegExp): void {
  const found = [
    ...nodes
      .map(({ data }) => data)
      .join('')
      .matchAll(pattern),
  ].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
  let offset = 0;
  for (const node of nodes) {
    const { data } = node;
    const start = offset;
    offset += data.length;
    const inside = found.filter((match) => match.start < offset && match.end > start);
    if (inside.length === 0) continue;
    const pieces: (Node | string)[] = [];
    let at = 0;
    for (const match of inside) {
      const from = Math.max(0, match.start - start);
      const to = Math.min(data.length, match.end - start);
      pieces.push(data.slice(at, from), element('mark', {}, data.slice(from, to)));
      at = to;
    }
    node.replaceWith(...pieces, data.slice(at));
  }
}
