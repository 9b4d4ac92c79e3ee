import type { Display, Question } from '@robota-sdk/agent-sdk/front-end';
import { Diff, Markdown, truncateText, visibleText, wrapText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The subject of a question, as lines. */
export interface DrawnSubject {
  readonly lines: readonly string[];
  /** The lines at which the parts of a diff begin. */
  readonly hunks: readonly number[];
  /** Why it is asked, where that is known apart. */
  readonly reason: string;
}

type DiffDisplay = Extract<Display, { kind: 'diff' }>;

/** Draws what a question is about: the diff of a change, or its words; whatever is invisible is spelt out. */
export function drawSubject(
  question: Question,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): DrawnSubject {
  const about = question.kind === 'select' ? question.about : undefined;
  const reason = about === undefined ? '' : `why: ${about.reason}`;
  const indent = width < 40 ? ' ' : '   ';
  const room = Math.max(1, width - indent.length);
  if (about?.display?.kind === 'diff') {
    const drawn = drawHunks(about.display, { look, width: room });
    return { ...drawn, lines: drawn.lines.map((line) => indent + line), reason };
  }
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

function drawHunks(
  { lines }: DiffDisplay,
  { look, width }: { readonly look: AppStyle; readonly width: number },
): Pick<DrawnSubject, 'lines' | 'hunks'> {
  const parts = partsOf(lines);
  const drawn: string[] = [];
  const hunks: number[] = [];
  for (const [index, part] of parts.entries()) {
    hunks.push(drawn.length);
    if (parts.length > 1) drawn.push(heading(`hunk ${index + 1} of ${parts.length}`, { look, width }));
    drawn.push(...new Diff({ lines: part, look, isRevealing: true }).render(width));
  }
  return { lines: drawn, hunks };
}

/** The lines between the gaps. */
function partsOf(lines: DiffDisplay['lines']): readonly DiffDisplay['lines'][] {
  const parts: DiffDisplay['lines'][number][][] = [[]];
  for (const line of lines) {
    if (line.kind === 'gap') parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.filter((part) => part.length > 0);
}

function heading(text: string, { look, width }: { readonly look: AppStyle; readonly width: number }): string {
  const rule = look.glyphs.horizontal.repeat(2);
  return look.paint('dim', truncateText(`${rule} ${text} ${rule}`, width, look.glyphs.ellipsis));
}
