import { isRequestOrigin } from '@robota-sdk/agent-sessions';
import type { ViewEntry } from '../view/session-view.ts';
import { element } from './element.ts';
import { fillFolds } from './fold.ts';
import { showAll } from './long-text.ts';
import { type Results, renderEntry, resultsIn } from './render-entry.ts';

const nearby = '1500px 0px';

/** The conversation of one branch; what is far from the screen is made when it comes near. */
export class Timeline {
  readonly root = element('main', { id: 'conversation', tabindex: '-1' });
  readonly #articles = new Map<string, HTMLElement>();
  readonly #entryOf = new WeakMap<Element, ViewEntry>();
  readonly #onRender: (article: HTMLElement) => void;
  #observer: IntersectionObserver | undefined;
  #results: Results = new Map();
  #path: readonly ViewEntry[] = [];

  constructor(onRender: (article: HTMLElement) => void) {
    this.#onRender = onRender;
    window.addEventListener('beforeprint', () => this.#renderAll());
  }

  get path(): readonly ViewEntry[] {
    return this.#path;
  }

  /** Shows another branch. */
  show(path: readonly ViewEntry[]): void {
    this.#observer?.disconnect();
    this.#observer = new IntersectionObserver((seen) => this.#see(seen), { rootMargin: nearby });
    this.#path = path;
    this.#results = resultsIn(path);
    this.#articles.clear();
    const articles = path.flatMap((entry) => (this.#isInCall(entry) ? [] : this.#article(entry)));
    const nothing = element('p', { class: 'muted' }, 'This session has no messages.');
    this.root.replaceChildren(...(articles.length > 0 ? articles : [nothing]));
    for (const article of articles) this.#observer.observe(article);
  }

  /** The article an entry is in, made if it was not yet; results are in that of their call. */
  reveal(id: string): HTMLElement | undefined {
    const article = this.#articles.get(id);
    if (article) this.#render(article);
    return article;
  }

  /** Brings an entry to the top of the screen. */
  scrollTo(id: string): void {
    const article = this.reveal(id);
    if (!article) return;
    article.scrollIntoView({ block: 'start' });
    article.focus({ preventScroll: true });
    // Heights were guesses until now, so the place is looked up once more.
    requestAnimationFrame(() => article.scrollIntoView({ block: 'start' }));
  }

  rendered(): Iterable<HTMLElement> {
    return this.root.querySelectorAll<HTMLElement>('article.rendered');
  }

  #isInCall(entry: ViewEntry): boolean {
    if (entry.kind !== 'result') return false;
    const owner = this.#ownerOf(entry.callId);
    if (owner) this.#articles.set(entry.id, owner);
    return owner !== undefined;
  }

  #ownerOf(callId: string): HTMLElement | undefined {
    return this.#articles.get(`call ${callId}`);
  }

  #article(entry: ViewEntry): HTMLElement {
    const article = element('article', {
      class: `entry ${classOf(entry)}`,
      id: `entry-${entry.id}`,
      tabindex: '-1',
    });
    const lines = Math.min(lengthOf(entry) / 90 + 3, 120);
    article.style.minHeight = `${Math.round(lines * 22)}px`;
    this.#entryOf.set(article, entry);
    this.#articles.set(entry.id, article);
    if (entry.kind === 'answer')
      for (const block of entry.blocks)
        if (block.type === 'call') this.#articles.set(`call ${block.id}`, article);
    return article;
  }

  #see(seen: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of seen)
      if (isIntersecting && target instanceof HTMLElement) this.#render(target);
  }

  #render(article: HTMLElement): void {
    const entry = this.#entryOf.get(article);
    if (!entry || article.classList.contains('rendered')) return;
    article.classList.add('rendered');
    article.style.minHeight = '';
    this.#observer?.unobserve(article);
    article.append(...renderEntry(entry, this.#results));
    this.#onRender(article);
  }

  #renderAll(): void {
    for (const article of this.#articles.values()) {
      this.#render(article);
      fillFolds(article);
      showAll(article);
    }
  }
}

/** Context for the model is boxed by its fold. */
function classOf(entry: ViewEntry): string {
  if (entry.kind !== 'prompt') return entry.kind;
  if (entry.origin === 'reminder') return 'context';
  return `prompt from-${isRequestOrigin(entry.origin) ? 'user' : 'machine'}`;
}

/** About how many characters an entry shows; only its text is looked at, as every entry of a session is asked. */
function lengthOf(entry: ViewEntry): number {
  switch (entry.kind) {
    case 'prompt':
    case 'answer':
      return entry.blocks.reduce((sum, block) => sum + ('text' in block ? block.text.length : 180), 0);
    case 'shell':
      return entry.output.length;
    default:
      return 0;
  }
}
