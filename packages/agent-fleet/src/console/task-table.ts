import { describeMoney } from '@robota-sdk/agent-core';
import { isEnded, type TaskRecord } from '../contract/task.ts';
import { briefSpan, remarkOf, trimmedLine } from './describe-task.ts';
import type { FleetConsole } from './fleet-console.ts';

type Measure = Pick<FleetConsole, 'width' | 'truncate'>;

interface TableOptions extends Measure {
  /** Rows are cut to this width; not at all without one. */
  readonly columns: number | undefined;
  readonly now: number;
}

const heads = ['ID', 'STATE', 'COST', 'TURNS', 'AGE', 'WORKER', 'NAME', ''];
/** Columns with numbers, aligned to the right. */
const numbers: ReadonlySet<number> = new Set([2, 3, 4]);
const longestName = 40;
const gap = '  ';

/** Tasks as an aligned table, with a head. */
export function taskTable(tasks: readonly TaskRecord[], options: TableOptions): readonly string[] {
  const rows = [heads, ...tasks.map((task) => cellsOf(task, options))];
  const widths = heads.map((_, column) =>
    Math.max(...rows.map((row) => (isLast(column) ? 0 : options.width(row[column] ?? '')))),
  );
  return rows.map((row) => {
    const line = row.map((cell, column) => padded(cell, { column, width: widths[column] ?? 0, options }));
    const text = line
      .filter((_, column) => widths[column] !== 0 || isLast(column))
      .join(gap)
      .trimEnd();
    return options.columns === undefined ? text : options.truncate(text, options.columns);
  });
}

function isLast(column: number): boolean {
  return column === heads.length - 1;
}

function cellsOf(task: TaskRecord, { truncate, now }: TableOptions): readonly string[] {
  const { id, state, name, cost, turns, worker, createdAt, endedAt } = task;
  const until = isEnded(state) && endedAt !== undefined ? Date.parse(endedAt) : now;
  return [
    id,
    state,
    describeMoney(cost),
    String(turns),
    briefSpan(until - Date.parse(createdAt)),
    worker ?? '',
    truncate(trimmedLine(name), longestName),
    remarkOf(task),
  ];
}

function padded(
  cell: string,
  { column, width, options }: { readonly column: number; readonly width: number; readonly options: Measure },
): string {
  const space = ' '.repeat(Math.max(0, width - options.width(cell)));
  return numbers.has(column) ? `${space}${cell}` : `${cell}${space}`;
}
