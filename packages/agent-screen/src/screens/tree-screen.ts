import {
  type EntryView,
  errorMessage,
  type InteractiveSession,
  localTime,
  type TreeRow,
  treeRows,
} from '@robota-sdk/agent-sdk/front-end';
import { type KeyEvent, oneLine, type SelectItem, wrapText } from '@robota-sdk/agent-tui';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { askText } from './ask-text.ts';
import { ListPanel } from './list-panel.ts';

/** Shows the branches of the session, to move to another entry and to label entries. */
export function openTreeScreen(stage: Stage, session: InteractiveSession): void {
  new TreeScreen(stage, session).open();
}

/** The filter: prompts, labelled entries, or every entry. */
const filters = ['prompts', 'labels', 'all'] as const;

class TreeScreen {
  readonly #stage: Stage;
  readonly #session: InteractiveSession;
  readonly #panel: ListPanel<string>;
  readonly #folded = new Set<string>();
  #filter: (typeof filters)[number] = 'prompts';
  #hasTimes = true;
  #rows: readonly TreeRow[] = [];
  #open: OpenPanel | undefined;

  constructor(stage: Stage, session: InteractiveSession) {
    this.#stage = stage;
    this.#session = session;
    this.#panel = new ListPanel<string>({
      stage,
      title: 'Branches of the session',
      items: [],
      search: 'list',
      emptyText: 'Nothing is here',
      hints: [
        { action: 'tui.select.confirm', text: 'continue' },
        { action: 'app.tree.foldOrUp', text: 'fold' },
        { action: 'app.tree.unfoldOrDown', text: 'unfold' },
        { action: 'app.tree.editLabel', text: 'label' },
        { action: 'tui.select.cancel', text: 'close' },
        { action: 'tui.input.tab', text: 'filter' },
        { action: 'app.tree.toggleLabelTimestamp', text: 'times' },
      ],
      note: () => `shown: ${this.#filter}`,
      detail: (id, width) => this.#detail(id, width),
      onKey: (event) => this.#handleKey(event),
      onSelect: (id) => {
        this.#open?.close();
        stage.enter(`/tree ${id}`);
      },
      onCancel: () => this.#open?.close(),
    });
  }

  open(): void {
    this.#load();
    const here = this.#rows.find(({ isHere }) => isHere);
    if (here) this.#panel.select(here.view.id);
    this.#open = this.#stage.openScreen(this.#panel);
  }

  #load(): void {
    const tree = this.#session.branches.tree();
    const unicode = this.#stage.capabilities.isUnicode;
    const rows = treeRows(tree, { all: this.#filter === 'all', unicode });
    this.#rows = this.#filter === 'labels' ? rows.filter(({ view }) => view.label !== undefined) : rows;
    this.#panel.setItems(this.#shown().map((row) => this.#item(row)));
  }

  /** Children of a folded row are hidden. */
  #shown(): readonly TreeRow[] {
    const hidden = new Set<string>();
    return this.#rows.filter(({ view, above }) => {
      const isHidden = above !== null && (this.#folded.has(above) || hidden.has(above));
      if (isHidden) hidden.add(view.id);
      return !isHidden;
    });
  }

  #item({ view, lead, number, isHere }: TreeRow): SelectItem<string> {
    const isUnicode = this.#stage.capabilities.isUnicode;
    const dot = view.isActive ? (isUnicode ? '●' : '*') : isUnicode ? '○' : 'o';
    const fold = this.#folded.has(view.id) ? ' [+]' : '';
    const what = view.kind === 'prompt' ? '' : `${view.kind}: `;
    const time = Date.parse(view.timestamp);
    const facts = [
      ...(isHere ? ['you are here'] : []),
      ...(view.label === undefined ? [] : [`[${view.label}]`]),
      ...(this.#hasTimes && !Number.isNaN(time) ? [localTime(time)] : []),
    ];
    return {
      value: view.id,
      label: `${lead}${dot}${fold} ${number ?? ''} ${what}${oneLine(view.text)}`,
      description: facts.join(' '),
    };
  }

  #detail(id: string, width: number): readonly string[] {
    const tree = this.#session.branches.tree();
    const text = tree.promptOf(id) ?? tree.view(id)?.text ?? '';
    return wrapText(oneLine(text.slice(0, 2000)), Math.max(1, width - 2)).map((line) => `  ${line}`);
  }

  #handleKey(event: KeyEvent): boolean {
    const action = this.#stage.keys.find(event, [
      'app.tree.foldOrUp',
      'app.tree.unfoldOrDown',
      'app.tree.editLabel',
      'app.tree.toggleLabelTimestamp',
      'tui.input.tab',
    ]);
    const view = this.#selected();
    // Capital letters are for words to look for once there are some.
    const isLetter = event.text !== '' && this.#panel.query !== '';
    if (action === undefined || isLetter) return false;
    if (action === 'tui.input.tab')
      this.#filter = filters[(filters.indexOf(this.#filter) + 1) % filters.length] ?? 'all';
    else if (action === 'app.tree.toggleLabelTimestamp') this.#hasTimes = !this.#hasTimes;
    else if (view && action === 'app.tree.editLabel') void this.#editLabel(view);
    else if (view && action === 'app.tree.foldOrUp') this.#fold(view);
    else if (view) this.#folded.delete(view.id);
    this.#load();
    return true;
  }

  /** Folds what hangs on an entry; where nothing does, goes to what it hangs on itself. */
  #fold({ id }: EntryView): void {
    const hasBelow = this.#rows.some(({ above }) => above === id);
    if (hasBelow && !this.#folded.has(id)) {
      this.#folded.add(id);
      return;
    }
    const above = this.#rows.find(({ view }) => view.id === id)?.above;
    if (above !== null && above !== undefined) this.#panel.select(above);
  }

  async #editLabel({ id, label = '' }: EntryView): Promise<void> {
    const text = await askText(this.#panel, this.#stage, {
      label: 'Its label (empty removes it):',
      value: label,
    });
    if (text === undefined) return;
    const result = await this.#session
      .executeCommand('tree', `label ${id} ${text.trim() === '' ? '-' : text}`)
      .catch((thrown: unknown) => ({ message: errorMessage(thrown) }));
    this.#load();
    this.#panel.lastLine.tell(result?.message ?? '');
  }

  #selected(): EntryView | undefined {
    return this.#rows.find(({ view }) => view.id === this.#panel.selected)?.view;
  }
}
