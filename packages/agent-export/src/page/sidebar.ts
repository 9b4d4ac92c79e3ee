import type { Branches, Waypoint } from '../view/branches.ts';
import type { ViewEntry } from '../view/session-view.ts';
import { button, element } from './element.ts';
import { plainText } from './plain-text.ts';

export interface SidebarOptions {
  readonly branches: Branches;
  readonly leafId: string | null;
  /** Goes to an entry of any branch. */
  readonly onChoose: (id: string) => void;
}

const deepestIndent = 8;

/** The tree of prompts: an outline of the branch that is shown, and the way to the others. */
export class Sidebar {
  readonly root: HTMLElement;
  readonly #items = new Map<string, HTMLButtonElement>();

  constructor({ branches, leafId, onChoose }: SidebarOptions) {
    const active = new Set(branches.path(leafId).map(({ id }) => id));
    const waypoints = branches.waypoints();
    const items = waypoints.map((waypoint) => {
      const item = button(titleOf(waypoint.entry), () => onChoose(waypoint.entry.id), {
        class: classOf(waypoint),
        title: active.has(waypoint.entry.id) ? 'On the active branch' : 'On another branch',
      });
      item.style.setProperty('--depth', String(Math.min(waypoint.depth, deepestIndent)));
      if (waypoint.entry.label !== undefined)
        item.append(element('span', { class: 'label' }, plainText(waypoint.entry.label)));
      this.#items.set(waypoint.entry.id, item);
      return element('li', {}, item);
    });
    const forks = branches.leaves().length;
    const title = forks > 1 ? `${forks} branches` : 'Outline';
    this.root = element(
      'nav',
      { id: 'tree', 'aria-label': 'Branches and prompts' },
      element('h2', {}, title),
      element('ul', {}, ...items),
    );
  }

  /** Marks the branch that is shown. */
  mark(path: readonly ViewEntry[]): void {
    const shown = new Set(path.map(({ id }) => id));
    for (const [id, item] of this.#items) item.classList.toggle('shown', shown.has(id));
  }

  /** Marks where the reader is. */
  current(id: string): void {
    for (const item of this.#items.values()) item.removeAttribute('aria-current');
    this.#items.get(id)?.setAttribute('aria-current', 'true');
  }
}

function classOf({ entry, forks }: Waypoint): string {
  return `waypoint at-${entry.kind}${forks ? ' forks' : ''}`;
}

function titleOf(entry: ViewEntry): HTMLElement {
  return element('span', { class: 'waypoint-title', dir: 'auto' }, plainText(firstLine(entry)));
}

function firstLine(entry: ViewEntry): string {
  switch (entry.kind) {
    case 'prompt':
      return (
        cut(entry.blocks.map((block) => (block.type === 'text' ? block.text : '')).join(' ')) || 'An image'
      );
    case 'answer':
      return (
        cut(entry.blocks.map((block) => (block.type === 'text' ? block.text : '')).join(' ')) || entry.model
      );
    case 'summary':
      return 'Summary';
    case 'result':
      return entry.tool;
    case 'shell':
      return `! ${cut(entry.command)}`;
    case 'note':
      return entry.text;
    case 'other':
      return entry.type;
  }
}

function cut(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
