import { pluralize, type Review, type ReviewFile } from '@robota-sdk/agent-sdk/front-end';
import { bold, changeText, oneLine, textWidth, truncateMiddle, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The columns of one file. */
interface FileRow {
  readonly name: string;
  readonly counts: string;
  readonly state: string;
  readonly comments: string;
}

const leastName = 8;

/** Draws the changed files of a review as columns. */
export class FileList {
  readonly #review: Review;
  readonly #look: AppStyle;
  #known: readonly FileRow[] | undefined;

  constructor(review: Review, look: AppStyle) {
    this.#review = review;
    this.#look = look;
  }

  /** The states of hunks or the drafts have changed. */
  invalidate(): void {
    this.#known = undefined;
  }

  /** Columns that show every name in full. */
  get naturalWidth(): number {
    const rows = this.#rows();
    return 2 + widest(rows, 'name') + 2 + this.#otherWidth(rows);
  }

  render(width: number, { selected, rows: height }: { selected: number; rows: number }): readonly string[] {
    const rows = this.#rows();
    const room = Math.max(1, Math.min(widest(rows, 'name'), width - 4 - this.#otherWidth(rows)));
    const first = Math.max(0, Math.min(selected - Math.floor(height / 2), rows.length - height));
    return rows
      .slice(first, first + height)
      .map((row, index) => this.#draw(row, { rows, room, width, isSelected: first + index === selected }));
  }

  #draw(
    row: FileRow,
    layout: { rows: readonly FileRow[]; room: number; width: number; isSelected: boolean },
  ): string {
    const { rows, room, width, isSelected } = layout;
    const { paint, glyphs } = this.#look;
    const isTight = room < Math.min(leastName, widest(rows, 'name'));
    const nameRoom = isTight ? Math.max(1, width - 2) : room;
    const name = padTo(shortName(row.name, nameRoom), isTight ? 0 : room);
    const counts = row.counts.padEnd(widest(rows, 'counts'));
    const state = row.state.padEnd(widest(rows, 'state'));
    const comments = row.comments.padStart(widest(rows, 'comments'));
    const others = isTight ? '' : `  ${counts}  ${state} ${paint('accent', comments)}`;
    const lead = isSelected ? `${glyphs.cursor} ` : '  ';
    const shown = isSelected ? paint('accent', bold(lead + name)) : lead + name;
    const line = truncateText(`${shown}${others}`, width, glyphs.ellipsis);
    const padded = padTo(line, width);
    return isSelected ? paint('selectedBg', padded) : padded;
  }

  #otherWidth(rows: readonly FileRow[]): number {
    return widest(rows, 'counts') + 2 + widest(rows, 'state') + 1 + widest(rows, 'comments') + 1;
  }

  #rows(): readonly FileRow[] {
    this.#known ??= this.#readRows();
    return this.#known;
  }

  #readRows(): readonly FileRow[] {
    const { drafts, files } = this.#review;
    return files.map((file) => {
      const count = drafts.filter(({ path }) => path === file.path).length;
      return {
        name: oneLine(file.name),
        counts: changeText(file, this.#look) || (file.binary ? 'binary' : ''),
        state: this.#stateOf(file),
        comments: count === 0 ? '' : `${this.#look.glyphs.comment}${count}`,
      };
    });
  }

  #stateOf(file: ReviewFile): string {
    const states = file.hunks.map((hunk) => this.#review.stateOf(file, hunk));
    const kept = states.filter((state) => state === 'kept').length;
    const taken = states.filter((state) => state === 'taken back').length;
    const { change, hunks } = file;
    const what =
      change === 'create' ? 'new' : change === 'delete' ? 'deleted' : pluralize(hunks.length, 'hunk');
    if (states.length === 1 && kept + taken === 1) return `${what}, ${states[0]}`;
    const decided = [...(kept > 0 ? [`${kept} kept`] : []), ...(taken > 0 ? [`${taken} taken back`] : [])];
    return [what, ...decided].join(', ');
  }
}

/** The name of the file stays whole as long as possible. */
function shortName(name: string, width: number): string {
  return truncateMiddle(name, width, { endWidth: name.length - name.lastIndexOf('/') });
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function widest(rows: readonly FileRow[], key: keyof FileRow): number {
  return rows.reduce((most, row) => Math.max(most, textWidth(row[key])), 0);
}
