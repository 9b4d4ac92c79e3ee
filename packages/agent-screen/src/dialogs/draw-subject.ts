import type { Display, Question } from '@robota-sdk/agent-sdk/front-end';
import { Diff, Markdown, visibleText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Rows of which only those that are asked for need to be painted. */
export interface Rows {
  readonly length: number;
  slice(start: number, end: number): readonly string[];
}

/** The subject of a question, as rows. */
export interface DrawnSubject {
  readonly lines: Rows;
  /** The rows at which the hunks of a diff begin. */
  readonly hunks: readonly number[];
  /** Why it is asked, where that is known apart. */
  readonly reason: string;
}

type FileDiff = Extract<Display, { kind: 'diff' }>;

/** Draws the subject of a question: the diff of a change, or its words; invisible characters are spelled out. */
export function drawSubject(
  question: Question,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): DrawnSubject {
  const about = question.kind === 'select' ? question.about : undefined;
  const reason = about === undefined ? '' : `why: ${about.reason}`;
  const indent = width < 40 ? ' ' : '   ';
  const room = Math.max(1, width - indent.length);
  if (about?.display?.kind === 'diff') return { ...drawDiff(about.display, { look, width }), reason };
  if (about?.display?.kind === 'plan') {
    const markdown = new Markdown({ look });
    markdown.append(visibleText(about.display.text));
    markdown.finish();
    return { lines: markdown.render(room).map((line) => indent + line), hunks: [], reason };
  }
  const { detail = '' } = question;
  const words = reason !== '' && detail.endsWith(reason) ? detail.slice(0, -reason.length).trimEnd() : detail;
  if (words === '') return { lines: [], hunks: [], reason };
  return {
    lines: wrapText(visibleText(withoutGaps(words)), room).map((line) => indent + line),
    hunks: [],
    reason,
  };
}

/** Blank space that would push what follows out of sight, named instead. */
function withoutGaps(text: string): string {
  return text
    .replaceAll(/\n(?:[^\S\n]*\n){3,}/g, (gap) => `\n[${gap.split('\n').length - 2} blank lines]\n`)
    .replaceAll(/[^\S\n]{40,}/g, (gap) => ` [${gap.length} spaces] `);
}

/** A diff at the first column: its numbers are an indent of their own. Nothing of it is cut, since it is decided upon. */
function drawDiff(
  diff: FileDiff,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): Pick<DrawnSubject, 'lines' | 'hunks'> {
  const view = new Diff({ diff, look, isWrapping: true, isRevealing: true });
  const lines = { length: view.height(width), slice: view.rows.bind(view, width) };
  return { lines, hunks: view.hunkRows(width) };
}
