import type { AskedCall, Display, Question } from '@robota-sdk/agent-sdk/front-end';
import { Diff, visibleText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { drawCommand, foldCommand, withoutGaps } from './draw-command.ts';

/** Rows of which only those that are asked for need to be painted. */
export interface LazyRows {
  readonly length: number;
  slice(start: number, end: number): readonly string[];
}

/** The subject of a question, as rows. */
export interface DrawnSubject {
  readonly lines: LazyRows;
  /** The rows at which the hunks of a diff begin. */
  readonly hunks: readonly number[];
  /** The same with the middle left out, where it is long. */
  readonly folded?: LazyRows;
}

type FileDiff = Extract<Display, { kind: 'diff' }>;

interface Drawing {
  readonly look: AppStyle;
  readonly width: number;
}

/** Draws the subject of a question: a command, the diff of a change, or its words; invisible characters are spelled out. */
export function drawSubject(question: Question, drawing: Drawing): DrawnSubject {
  const about = question.kind === 'select' ? question.about : undefined;
  if (!about) return { lines: drawText(question.detail ?? '', drawing), hunks: [] };
  const [first] = about.access;
  if (about.display?.kind === 'diff') return drawDiff(about.display, drawing);
  if (about.display?.kind === 'text') return { lines: drawText(about.display.text, drawing), hunks: [] };
  if (first?.kind === 'run') {
    const command = drawCommand(first.command, about, drawing);
    const { lines, hidden } = foldCommand(command, drawing);
    return { lines: command.lines, hunks: [], ...(hidden > 0 ? { folded: lines } : {}) };
  }
  if (first?.kind === 'fetch') return { lines: drawText(fetchText(first.url, about), drawing), hunks: [] };
  // The title names the file already.
  if (first?.kind === 'read') return { lines: [], hunks: [] };
  return { lines: drawArguments(about, drawing), hunks: [] };
}

function drawText(text: string, { width }: Drawing): readonly string[] {
  return text === '' ? [] : wrapText(visibleText(withoutGaps(text)), width);
}

function fetchText(url: string, { call }: AskedCall): string {
  const { input } = call;
  const prompt =
    typeof input === 'object' && input !== null && 'prompt' in input ? input['prompt'] : undefined;
  return typeof prompt === 'string' && prompt !== '' ? `${url}\nTo find: ${prompt}` : url;
}

const longestName = 20;

/** Arguments by name, one below the other, with their values at one column. */
function drawArguments({ call: { input } }: AskedCall, { look, width }: Drawing): readonly string[] {
  if (typeof input !== 'object' || input === null) return drawText(JSON.stringify(input), { look, width });
  const entries = Object.entries(input);
  const names = entries.map(([name]) => visibleText(name));
  const column = Math.min(longestName, Math.max(0, ...names.map((name) => name.length))) + 2;
  return entries.flatMap(([, value], index) => {
    const name = names[index] ?? '';
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const rows = wrapText(visibleText(withoutGaps(text)), Math.max(10, width - column));
    const lead = look.paint('muted', name);
    const isBeside = name.length < column;
    return [
      ...(isBeside ? [] : [lead]),
      ...rows.map((row, line) =>
        isBeside && line === 0 ? lead + ' '.repeat(column - name.length) + row : ' '.repeat(column) + row,
      ),
    ];
  });
}

/** Nothing of a diff is cut, since it is decided upon. */
function drawDiff(diff: FileDiff, { look, width }: Drawing): Pick<DrawnSubject, 'lines' | 'hunks'> {
  const view = new Diff({ diff, look, isWrapping: true, isRevealing: true });
  const lines = { length: view.height(width), slice: view.rows.bind(view, width) };
  return { lines, hunks: view.hunkRows(width) };
}
