import { type Display, diffFragments, isJsonObject } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { bold, Diff, oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

type FileDiff = Extract<Display, { kind: 'diff' }>;

export interface DiffRowsOptions {
  readonly look: AppStyle;
  readonly columns: number;
  /** `brief`: the changed lines alone; `folded`: with those around them, up to a limit; `whole`: all of it. */
  readonly form: 'brief' | 'folded' | 'whole';
  /** Columns beside it; whether it is side by side depends on the width of the terminal. */
  readonly margin?: number | undefined;
}

const brief = { most: 10, head: 8 } as const;
/** Rows of a change, by what happened to the file. */
const foldedRows = { edit: 20, rename: 20, create: 8, delete: 0 } as const;
/** Columns beside a diff in the classic view. */
const classicMargin = 6;
const splitTerminal = 160;

/** The change that a successful call made; undefined if it is none that is known. */
export function renderDiff(item: ToolItem, options: DiffRowsOptions): readonly string[] | undefined {
  if (item.state !== 'done') return undefined;
  const diff = changeOf(item);
  if (!diff) return undefined;
  if (options.form === 'brief') return briefRows(diff, options);
  const { look, columns, margin = classicMargin } = options;
  const shared = { diff, look, splitWidth: splitTerminal - margin };
  if (options.form === 'whole') return new Diff({ ...shared, isWrapping: true }).render(columns);
  return new Diff({ ...shared, mostRows: foldedRows[diff.change ?? 'edit'] }).render(columns);
}

/** The change of a call as its result has it, or as the call asks for it. */
export function changeOf({ display, input }: ToolItem): FileDiff | undefined {
  return display?.kind === 'diff' ? display : askedChange(input);
}

/** The changed lines below the name of the file: at most ten, else the first eight and how many more there are. */
function briefRows(diff: FileDiff, { look, columns }: DiffRowsOptions): readonly string[] {
  const lines = diff.lines.filter(({ kind }) => kind === 'added' || kind === 'removed');
  if (lines.length === 0) return [];
  const total = lines.length + (diff.more ?? 0);
  const shown = total > brief.most ? lines.slice(0, brief.head) : lines;
  const name = truncateText(bold(oneLine(diff.path)), columns, look.glyphs.ellipsis);
  const body = new Diff({
    diff: { lines: shown, path: diff.path, more: total - shown.length },
    look,
    splitWidth: 0,
    numberWidth: 1,
  });
  return [...(diff.path === '' ? [] : [name]), ...body.render(columns)];
}

/** The change as the call asks for it, for results that do not tell it. */
function askedChange(input: ToolItem['input']): FileDiff | undefined {
  if (!isJsonObject(input)) return undefined;
  const { old_string: before, new_string: after, file_path: path } = input;
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return { kind: 'diff', path: typeof path === 'string' ? path : '', lines: diffFragments(before, after) };
}
