import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  dayOf,
  errorMessage,
  type InteractiveSession,
  tildePath,
  type UsageDimension,
  type UsageRow,
  usageCsv,
} from '@robota-sdk/agent-sdk/front-end';
import {
  type InputEvent,
  type KeyEvent,
  matchesKey,
  renderStatusLine,
  truncateText,
} from '@robota-sdk/agent-tui';
import { renderScreenTitle } from '../bars/screen-title.ts';
import type { OpenPanel, Panel, Stage } from '../stage/stage.ts';
import { UsageFigures, type UsagePeriod } from './usage-figures.ts';
import { periodName, renderUsage } from './usage-lines.ts';

/** Shows what this session and the stored ones used, by model, project, tool, agent or break of the cache. */
export function openUsageScreen(stage: Stage, session: InteractiveSession): void {
  const panel: UsageScreen = new UsageScreen(stage, session, () => open.close());
  const open: OpenPanel = stage.openScreen(panel);
  panel.begin();
}

const periods: readonly UsagePeriod[] = ['session', 7, 14, 30, 90, 'all'];
const firstPeriod = 14;

/** The tables, by their key. */
const tables: Readonly<Record<string, UsageDimension>> = {
  m: 'model',
  p: 'project',
  t: 'tool',
  a: 'agent',
  c: 'cache-break',
};

class UsageScreen implements Panel {
  rows = 24;
  readonly #stage: Stage;
  readonly #session: InteractiveSession;
  readonly #close: () => void;
  readonly #figures: UsageFigures;
  #period: UsagePeriod = firstPeriod;
  #by: UsageDimension = 'model';
  #top = 0;
  #page = 1;
  #note = '';

  constructor(stage: Stage, session: InteractiveSession, close: () => void) {
    this.#stage = stage;
    this.#session = session;
    this.#close = close;
    this.#figures = new UsageFigures(session);
  }

  /** Reads the stored sessions once the screen is in sight. */
  begin(): void {
    setImmediate(() => {
      try {
        this.#figures.read();
      } catch (thrown) {
        this.#note = errorMessage(thrown);
      }
      this.#stage.refresh();
    });
  }

  cancel(): void {
    this.#close();
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release') return false;
    this.#note = '';
    this.#act(event);
    this.#stage.refresh();
    return true;
  }

  #act(event: KeyEvent): void {
    const { keys } = this.#stage;
    const table = tables[event.id];
    if (keys.matches(event, 'tui.select.cancel')) this.#close();
    else if (keys.matches(event, 'tui.select.up')) this.#top -= 1;
    else if (keys.matches(event, 'tui.select.down')) this.#top += 1;
    else if (keys.matches(event, 'tui.select.pageUp')) this.#top -= this.#page;
    else if (keys.matches(event, 'tui.select.pageDown')) this.#top += this.#page;
    else if (matchesKey(event, 'left')) this.#turn(-1);
    else if (matchesKey(event, 'right')) this.#turn(1);
    else if (table !== undefined) this.#show(table);
    else if (event.id === 'e') void this.#export();
  }

  #turn(step: 1 | -1): void {
    this.#period = periods[periods.indexOf(this.#period) + step] ?? this.#period;
    this.#top = 0;
  }

  #show(table: UsageDimension): void {
    this.#by = table;
    this.#top = 0;
  }

  /** Writes the rows of the period beside the project's files, and replaces nothing. */
  async #export(): Promise<void> {
    const { cwd } = this.#session.place;
    const span = this.#period === 'session' || this.#period === 'all' ? this.#period : `${this.#period}-days`;
    const name = `usage-${dayOf(Date.now())}-${span}.csv`;
    try {
      await writeFile(join(cwd, name), usageCsv(this.#figures.report(this.#period).rows), { flag: 'wx' });
      this.#note = `Wrote ${name}`;
    } catch (thrown) {
      const isThere = (thrown as NodeJS.ErrnoException).code === 'EEXIST';
      this.#note = isThere ? `${name} already exists. Nothing was written.` : errorMessage(thrown);
    }
    this.#stage.refresh();
  }

  render(width: number): readonly string[] {
    const { look } = this.#stage;
    const table = this.#by === 'cache-break' ? 'cache breaks' : `by ${this.#by}`;
    const span = this.#period === 'session' ? 'this session' : this.#spanText();
    const title = renderScreenTitle({ title: 'Usage', notes: [span, table] }, width, look);
    const lines = this.#lines(width);
    this.#page = Math.max(1, this.rows - 2);
    this.#top = Math.max(0, Math.min(this.#top, lines.length - this.#page));
    const shown = lines.slice(this.#top, this.#top + this.#page);
    return [title, ...shown, this.#foot(width)].slice(0, Math.max(1, this.rows));
  }

  #spanText(): string {
    return this.#period === 'all' ? 'all days' : `last ${periodName(this.#period)}`;
  }

  #lines(width: number): readonly string[] {
    const { look } = this.#stage;
    if (!this.#figures.isRead && this.#note === '')
      return [look.paint('muted', `Reading sessions${look.glyphs.ellipsis}`)];
    const view = { figures: this.#figures, period: this.#period, by: this.#by, look };
    const lines = renderUsage({ ...view, nameOf: (row) => this.#nameOf(row) }, width);
    const most = this.#period === 'session' ? 1 : 2;
    const empty = look.paint('muted', truncateText('Nothing recorded.', width));
    return lines.length > most ? lines : [...lines, empty];
  }

  /** A model by its name, a project as users write its path. */
  #nameOf({ by, name }: UsageRow): string {
    if (by === 'project') return tildePath(name, this.#session.place.host.home);
    if (by !== 'model') return name;
    const known = this.#session.listModels().find(({ vendor, id }) => `${vendor}/${id}` === name);
    return known?.name.replace(/^Claude (?=\S+ )/, '') ?? name;
  }

  #foot(width: number): string {
    const { look } = this.#stage;
    if (this.#note !== '') return truncateText(this.#note, width, look.glyphs.ellipsis);
    const hints = [
      { keys: 'left/right', text: 'period' },
      { keys: 'm', text: 'model' },
      { keys: 'p', text: 'project' },
      { keys: 't', text: 'tool' },
      { keys: 'a', text: 'agent' },
      { keys: 'c', text: 'cache' },
      { keys: 'e', text: 'export csv' },
      { keys: 'esc', text: 'close' },
    ];
    // The way out stays where it is narrow.
    const fields = hints.map(({ keys, text }, index) => ({
      text: `${keys} ${look.paint('dim', text)}`,
      priority: index === hints.length - 1 ? hints.length : -index,
    }));
    return renderStatusLine(fields, width, look);
  }
}
