import { Branches } from '../view/branches.ts';
import type { SessionHead, ViewEntry } from '../view/session-view.ts';
import { renderCharts } from './charts.ts';
import { element } from './element.ts';
import { renderBar, renderFacts } from './page-head.ts';
import { Search } from './search.ts';
import { Sidebar } from './sidebar.ts';
import { Timeline } from './timeline.ts';
import { turnsOf } from './turns.ts';

const mostBars = 120;

start();

function start(): void {
  const head = readParts<SessionHead>('session-head')[0];
  if (!head) return;
  const entries = readParts<readonly ViewEntry[]>('session-entries').flat();
  const branches = new Branches(entries);
  const timeline: Timeline = new Timeline((article) => search.mark(article));
  const search: Search = new Search(() => timeline, entries);
  const charts = element('div');
  const show = (leafId: string | null) => {
    const path = branches.path(leafId);
    timeline.show(path);
    sidebar.mark(path);
    charts.replaceChildren(renderCharts(turnsOf(path, mostBars), (id) => timeline.scrollTo(id)));
    search.refresh();
  };
  const goTo = (id: string) => {
    if (!timeline.path.some((entry) => entry.id === id)) show(leafThrough(id, branches, head.leafId));
    hideTreeOnPhone();
    timeline.scrollTo(id);
    sidebar.current(id);
  };
  const sidebar: Sidebar = new Sidebar({ branches, leafId: head.leafId, onChoose: goTo });
  const content = element('div', { id: 'content' }, renderFacts(head), charts, timeline.root);
  const skip = element('a', { class: 'skip' }, 'Skip to the conversation');
  skip.href = '#conversation';
  document.body.append(
    skip,
    renderBar(head, search.root),
    element('div', { id: 'layout' }, sidebar.root, content),
  );
  hideTreeOnPhone();
  show(head.leafId);
  const [, wanted] = /^#entry-(.+)$/.exec(decodeHash()) ?? [];
  if (wanted !== undefined && entries.some(({ id }) => id === wanted)) goTo(wanted);
}

/** On a phone the tree covers the conversation, so it closes after use. */
function hideTreeOnPhone(): void {
  if (matchMedia('(max-width: 860px)').matches) document.body.classList.add('tree-hidden');
}

/** Each part is one element of data, which goes once it was read. */
function readParts<T>(name: string): T[] {
  return [...document.querySelectorAll(`script[data-part="${name}"]`)].map((part) => {
    const value = JSON.parse(part.textContent ?? 'null') as T;
    part.remove();
    return value;
  });
}

/** The active branch if the entry is on it, else the one through it that was written last. */
function leafThrough(id: string, branches: Branches, leafId: string | null): string | null {
  return branches.path(leafId).some((entry) => entry.id === id) ? leafId : branches.latestLeaf(id);
}

function decodeHash(): string {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return '';
  }
}
