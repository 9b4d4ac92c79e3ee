import {
  AgentError,
  errorMessage,
  type InteractiveSession,
  type KeptSessions,
  type ListedSession,
  localTime,
  lockHolder,
  pluralize,
  renameSession,
  type SessionStorePort,
  type Snippet,
  sessionLabel,
} from '@robota-sdk/agent-sdk/front-end';
import { type KeyEvent, matchesKey, oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { askText } from './ask-text.ts';
import { ListPanel } from './list-panel.ts';
import { SessionList } from './session-list.ts';
import { SessionPreview } from './session-preview.ts';

export interface SessionPickerOptions {
  /** The sessions to choose from; those of its directory come first. */
  readonly kept: KeptSessions;
  readonly userHome: string;
  /** The session one is in, if there is one. */
  readonly session?: InteractiveSession | undefined;
  /** A session was chosen, or none. */
  onEnd(session: ListedSession | undefined): void;
}

/** Pause in typing before a search starts. */
const calmMs = 120;

/** Opens the session picker; typing searches the sessions' text. */
export async function openSessionPicker(stage: Stage, options: SessionPickerOptions): Promise<void> {
  const picker = new SessionPicker(stage, options);
  await picker.open();
}

class SessionPicker {
  readonly #stage: Stage;
  readonly #options: SessionPickerOptions;
  readonly #list: SessionList;
  readonly #panel: ListPanel<string>;
  readonly #preview: SessionPreview;
  #open: OpenPanel | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(stage: Stage, options: SessionPickerOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#list = new SessionList({
      catalogue: options.kept.catalogue,
      cwd: options.kept.cwd,
      home: options.userHome,
      currentId: options.session?.id,
    });
    this.#preview = new SessionPreview(stage, options.kept.store);
    this.#panel = new ListPanel<string>({
      stage,
      title: 'Resume',
      note: () => this.#note(),
      items: [],
      search: (words) => this.#searchSoon(words),
      emptyText: 'No session fits',
      hints: [
        { action: 'tui.select.confirm', text: 'resume' },
        { keys: 'space', text: 'preview' },
        { action: 'tui.input.tab', text: 'all folders' },
        { action: 'app.session.rename', text: 'rename' },
        { action: 'app.session.delete', text: 'delete' },
        { action: 'tui.select.cancel', text: 'cancel' },
        { action: 'app.session.toggleSort', text: 'sort' },
        { action: 'app.session.toggleNamedFilter', text: 'named' },
        { action: 'app.session.togglePath', text: 'paths' },
      ],
      head: (width) => this.#head(width),
      detail: (path, width) => this.#detail(path, width),
      aside: (path, width) => this.#preview.lines(path, width),
      onKey: (event) => this.#handleKey(event),
      onSelect: (path) => this.#end(this.#list.at(path)),
      onCancel: () => this.#end(undefined),
    });
  }

  async open(): Promise<void> {
    await this.#list.load();
    this.#panel.setItems(this.#list.items());
    this.#open = this.#stage.openPanel(this.#panel);
  }

  #end(session: ListedSession | undefined): void {
    clearTimeout(this.#timer);
    this.#preview.close();
    this.#open?.close();
    this.#options.onEnd(session);
  }

  #note(): string {
    const { listed, all } = this.#list.counts;
    const where = this.#list.isEverywhere ? 'all folders' : 'this folder';
    return `${where} ${this.#stage.look.glyphs.separator} ${listed} of ${all}`;
  }

  #handleKey(event: KeyEvent): boolean {
    if (matchesKey(event, 'space') && this.#panel.query === '' && this.#panel.selected !== undefined) {
      const panel = this.#panel;
      const onClose = () => panel.show(undefined);
      panel.show(this.#preview.panel(this.#panel.selected, { rows: () => panel.rows, onClose }));
      return true;
    }
    const action = this.#stage.keys.find(event, [
      'tui.input.tab',
      'app.session.togglePath',
      'app.session.toggleSort',
      'app.session.toggleNamedFilter',
      'app.session.rename',
      'app.session.delete',
      'app.session.deleteNoninvasive',
    ]);
    if (action === undefined) return false;
    const list = this.#list;
    if (action === 'tui.input.tab') list.isEverywhere = !list.isEverywhere;
    else if (action === 'app.session.togglePath') list.hasPaths = !list.hasPaths;
    else if (action === 'app.session.toggleNamedFilter') list.isNamedOnly = !list.isNamedOnly;
    else if (action === 'app.session.toggleSort') list.sort = nextSort[list.sort];
    else if (action === 'app.session.rename') void this.#guarded(() => this.#rename());
    else this.#askDelete();
    if (action === 'tui.input.tab') void this.#guarded(() => this.#reload());
    else this.#panel.setItems(list.items());
    return true;
  }

  #searchSoon(words: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#guarded(() => this.#search(words)), calmMs);
  }

  async #search(words: string): Promise<void> {
    if (await this.#list.find(words)) this.#panel.setItems(this.#list.items());
  }

  async #reload(): Promise<void> {
    await this.#list.load();
    this.#panel.setItems(this.#list.items());
  }

  async #rename(): Promise<void> {
    const session = this.#selected();
    if (!session) return;
    const name = await askText(this.#panel, this.#stage, { label: 'Its name:', value: session.name ?? '' });
    if (name === undefined) return;
    const current = this.#list.isCurrent(session) ? this.#options.session : undefined;
    if (!current) await renameOther(session, name, this.#options.kept.store);
    else if (!(await current.branches.setName(name)))
      return this.#panel.lastLine.tell('The name is not saved.');
    await this.#reload();
    this.#panel.lastLine.tell(name.trim() === '' ? 'Removed the name.' : `Named it "${name.trim()}".`);
  }

  #askDelete(): void {
    const session = this.#selected();
    if (!session) return;
    if (this.#list.isCurrent(session))
      return this.#panel.lastLine.tell("You are in this session, so it can't be deleted here.");
    const label = truncateText(oneLine(sessionLabel(session)), 40, this.#stage.look.glyphs.ellipsis);
    this.#panel.lastLine.ask({
      text: `Delete "${label}", ${pluralize(session.messages, 'message')}, for good?`,
      verb: 'delete',
      onYes: () => void this.#guarded(() => this.#delete(session)),
    });
  }

  async #delete({ path, id }: ListedSession): Promise<void> {
    await this.#options.kept.store.delete(path);
    await this.#reload();
    this.#panel.lastLine.tell(`Deleted ${id}.`);
  }

  #selected(): ListedSession | undefined {
    const { selected } = this.#panel;
    return selected === undefined ? undefined : this.#list.at(selected);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#panel.lastLine.tell(errorMessage(thrown));
    }
    this.#stage.refresh();
  }

  /** Counts the sessions that the list omits. */
  #head(width: number): readonly string[] {
    const { isEverywhere, isNamedOnly, sort, elsewhere, unreadable } = this.#list;
    const key = this.#stage.keys.keysOf('tui.input.tab')[0] ?? 'tab';
    const facts = [
      ...(!isEverywhere && elsewhere > 0 ? [`${elsewhere} in other folders: ${key}`] : []),
      ...(isNamedOnly ? ['only those with a name'] : []),
      ...(sort === 'age' ? [] : [`by ${sort}`]),
      ...(unreadable > 0 ? [`${unreadable} cannot be read: run robota sessions list for the reason`] : []),
    ];
    if (facts.length === 0) return [];
    const { look } = this.#stage;
    const separator = ` ${look.glyphs.separator} `;
    return [look.paint('muted', truncateText(facts.join(separator), width, look.glyphs.ellipsis))];
  }

  #detail(path: string, width: number): readonly string[] {
    const session = this.#list.at(path);
    if (!session) return [];
    const { look } = this.#stage;
    const cut = (text: string) => truncateText(text, width, look.glyphs.ellipsis);
    const snippets = this.#list.snippetsOf(path).map((snippet) => cut(marked(snippet)));
    const prompt =
      session.name !== undefined && session.firstPrompt ? [cut(oneLine(session.firstPrompt))] : [];
    const separator = ` ${look.glyphs.separator} `;
    const time = localTime(Date.parse(session.modified) || 0);
    const place = [session.id, this.#list.shorten(session.cwd), time].join(separator);
    return [...snippets, ...prompt, look.paint('dim', cut(oneLine(place)))];
  }
}

const nextSort = { age: 'messages', messages: 'name', name: 'age' } as const;

async function renameOther({ path }: ListedSession, name: string, store: SessionStorePort): Promise<void> {
  const holder = lockHolder(path);
  if (holder !== undefined)
    throw new AgentError('session', `The session is in use by ${holder}. Name it there with /name.`);
  await renameSession(path, name, store);
}

/** The words that were found stand out, also without colours. */
function marked({ text, marks, kind, tool }: Snippet): string {
  const source = tool === undefined ? (kind === 'prompt' ? 'you' : kind) : `${tool} ${kind}`;
  let line = `${oneLine(source)}: `;
  let at = 0;
  for (const [start, end] of marks) {
    line += `${safe(text.slice(at, start))}\x1b[7m${safe(text.slice(start, end))}\x1b[27m`;
    at = end;
  }
  return line + safe(text.slice(at));
}

/** On one line, with the blanks at its ends. */
function safe(text: string): string {
  return text.replace(/[^\s]+/g, (word) => oneLine(word)).replace(/\s/g, ' ');
}
