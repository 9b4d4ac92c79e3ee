import type { TaskRecord } from '../contract/task.ts';
import { type Section, tasksOf } from './fleet-rows.ts';

const sections: readonly Section[] = ['now', 'ended', 'queued'];

/** The cursor of the table: it stays on its task while others come and go. */
export class RowCursor {
  section: Section = 'now';
  index = 0;
  #top = 0;
  /** The task it was moved to; without one it stays at the first row. */
  #selected: string | undefined;

  /** The rows of the section, with the cursor on one of them. */
  follow(tasks: readonly TaskRecord[]): readonly TaskRecord[] {
    const rows = tasksOf(this.section, tasks);
    const at = rows.findIndex(({ id }) => id === this.#selected);
    this.index = at >= 0 ? at : Math.max(0, Math.min(this.index, rows.length - 1));
    if (this.#selected !== undefined) this.#selected = rows[this.index]?.id;
    return rows;
  }

  move(tasks: readonly TaskRecord[], by: number): void {
    const rows = this.follow(tasks);
    this.index = Math.max(0, Math.min(rows.length - 1, this.index + by));
    this.#selected = rows[this.index]?.id;
  }

  nextSection(): void {
    const at = sections.indexOf(this.section);
    this.section = sections[(at + 1) % sections.length] ?? 'now';
    this.index = 0;
    this.#selected = undefined;
  }

  /** The first of so many rows in sight. */
  topOf({ rows, page }: { readonly rows: number; readonly page: number }): number {
    this.#top = Math.max(0, Math.min(this.#top, this.index, rows - page), this.index - page + 1);
    return this.#top;
  }
}
