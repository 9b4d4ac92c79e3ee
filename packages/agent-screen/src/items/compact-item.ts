import { describeMoney, describeTokens, pluralize } from '@robota-sdk/agent-sdk/front-end';
import type { CompactionItem, Item, ToolItem } from '@robota-sdk/agent-sessions';
import {
  bold,
  filterEscapes,
  italic,
  Markdown,
  oneLine,
  promptMarks,
  textWidth,
  truncateText,
  wrapHanging,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { renderCompactTool, renderReads } from './compact-tool.ts';
import { cutNotice, type NoticeText } from './cut-notice.ts';
import { cutPrompt, cutShellOutput } from './cut-text.ts';
import { describeTime } from './describe-time.ts';
import type { ShownItem } from './fold-reads.ts';
import type { ItemKind, ItemView } from './item-view.ts';
import { toolImage } from './tool-image.ts';

const quiet: ReadonlySet<ShownItem['kind']> = new Set(['tool', 'reads', 'thinking', 'run-end']);
const noticeKinds: ReadonlySet<ShownItem['kind']> = new Set(['notice', 'note', 'cut', 'compaction']);
/** Thinking that took less is not worth a line. */
const shownThinkingMs = 3000;
const callIndent = '  ';
const outputIndent = '    ';

/** The lines of an item in the compact view: what is said at column 0, calls at 2, output at 4. */
export function renderCompact(item: ShownItem, view: ItemView): readonly string[] {
  const lines = linesOf(item, view);
  return lines.length === 0 ? [] : [...compactLead(item, view), ...lines];
}

/** A blank line before what is said, and none before calls. */
export function compactLead(item: ItemKind, { previous }: ItemView): readonly string[] {
  if (previous === undefined) return [];
  const isCall = item.kind === 'tool' || item.kind === 'reads';
  // The answer of a command may come between a text and its calls.
  if (isCall && noticeKinds.has(previous.kind) && hasLines(previous)) return [''];
  if (quiet.has(item.kind)) return [];
  const isInList = noticeKinds.has(item.kind) && noticeKinds.has(previous.kind) && !hasLines(item);
  return isInList ? [] : [''];
}

/** The bullet before the first line of an answer. */
export function answerLead(look: AppStyle): string {
  return `${look.paint('muted', look.glyphs.said)} `;
}

function hasLines(item: ItemKind): boolean {
  return 'text' in item && typeof item.text === 'string' && item.text.trimEnd().includes('\n');
}

function linesOf(item: ShownItem, view: ItemView): readonly string[] {
  switch (item.kind) {
    case 'user':
      return userLines(view.isWhole ? item.text : (item.shown ?? item.text), view);
    case 'answer':
      return answerLines(item.text, view);
    case 'thinking':
      return thinkingLines(item, view);
    case 'tool':
      return toolLines(item, view);
    case 'reads':
      return renderReads(item, view);
    case 'notice':
      return noticeLines(item, view);
    case 'note':
      return noticeLines({ level: 'info', text: item.text }, view);
    case 'cut':
      return noticeLines(item.error === undefined ? interrupted : cutNotice(item), view);
    case 'compaction':
      return compactionLines(item, view);
    case 'shell':
      return shellLines(item, view);
    case 'run-end':
      return runEndLines(item, view);
  }
}

const interrupted: NoticeText = {
  level: 'warning',
  text: 'Interrupted. Tell Robota what to do differently.',
};

function answerLines(
  text: string,
  { look, columns, isFlowing, lead = answerLead(look) }: ItemView & { readonly lead?: string },
): readonly string[] {
  const markdown = new Markdown({ look, lead, code: isFlowing ? 'whole' : 'flush' });
  markdown.append(text);
  markdown.finish();
  return markdown.render(columns);
}

/** Thinking as one line, or all of it where it is not hidden. */
function thinkingLines(item: Extract<Item, { kind: 'thinking' }>, view: ItemView): readonly string[] {
  const { look, columns, isWhole, isHistory, isThinkingHidden } = view;
  const text = filterEscapes(item.text).trim();
  if (text === '') return [];
  if (isWhole || !isThinkingHidden)
    return wrapText(text, Math.max(1, columns - callIndent.length)).map((line) =>
      line === '' ? '' : callIndent + look.paint('thinkingText', italic(line)),
    );
  const { durationMs = 0 } = item;
  const time = durationMs < shownThinkingMs ? '' : ` for ${describeTime(durationMs)}`;
  if (time === '' && !isHistory) return [];
  const words = isHistory ? `: ${oneLine(text.slice(0, 4 * columns))}` : '';
  return [
    look.paint('dim', truncateText(`${callIndent}Thought${time}${words}`, columns, look.glyphs.ellipsis)),
  ];
}

function toolLines(item: ToolItem, view: ItemView): readonly string[] {
  return [...renderCompactTool(item, view), ...toolImage(item, view, view.columns)];
}

function userLines(text: string, { look, columns, isWhole = false }: ItemView): readonly string[] {
  const { pointer, ellipsis } = look.glyphs;
  const { lines, more } = cutPrompt(text, { lead: `${pointer} `, columns, ellipsis, isWhole });
  const shown = lines.map((line, index) => {
    const mark = index === 0 ? look.paint('accent', bold(pointer)) : '';
    const words = index === 0 ? line.slice(pointer.length) : line;
    const blanks = ' '.repeat(Math.max(0, columns - textWidth(line)));
    const ground = look.paint('userMessageBg', mark + look.paint('userMessageText', words) + blanks);
    return (index === 0 ? promptMarks.promptStart : '') + ground;
  });
  return more === undefined ? shown : [...shown, look.paint('dim', more)];
}

/** The answer of a command has lines and no sign. */
function noticeLines({ level, text, isMarkdown }: NoticeText, view: ItemView): readonly string[] {
  const { look, columns } = view;
  if (isMarkdown) return markdownLines(text, view);
  const { failure, separator, success, denied } = look.glyphs;
  const plain = filterEscapes(text).trimEnd().replaceAll('\t', '  ');
  const isPlain = plain.includes('\n') || plain.startsWith(success) || plain.startsWith(denied);
  const sign = level === 'error' ? failure : level === 'warning' ? '!' : isPlain ? '' : separator;
  const lead = sign === '' ? '' : `${sign} `;
  const token = level === 'info' ? (isPlain ? 'muted' : 'dim') : level;
  const room = Math.max(1, columns - lead.length);
  return plain
    .split('\n')
    .flatMap((line) => wrapHanging(line, room))
    .map((line, index) => {
      if (line === '') return '';
      if (index > 0) return ' '.repeat(lead.length) + look.paint(level === 'info' ? token : 'text', line);
      return look.paint(token, lead) + look.paint(level === 'info' ? token : 'text', line);
    });
}

/** A line, and the Markdown after it. */
function markdownLines(text: string, view: ItemView): readonly string[] {
  const { look, columns } = view;
  const end = text.indexOf('\n');
  const head = truncateText(oneLine(text.slice(0, end)), columns, look.glyphs.ellipsis);
  return [look.paint('muted', head), ...answerLines(text.slice(end + 1), { ...view, lead: '' })];
}

function compactionLines(item: CompactionItem, view: ItemView): readonly string[] {
  const level = item.notice === undefined ? 'info' : 'warning';
  const lines = noticeLines({ level, text: compactionText(item, view) }, view);
  const { summary = '' } = item;
  if (!view.isWhole || summary.trim() === '') return lines;
  return [...lines, '', ...noticeLines({ level: 'info', text: `${summary.trim()}\n` }, view)];
}

function compactionText(item: CompactionItem, { look }: ItemView): string {
  const { tokensBefore, tokensAfter, contextWindow, counts, notice } = item;
  if (!counts || contextWindow === undefined) return 'Earlier messages were summarized.';
  const share = (tokens = 0) => `${Math.min(100, Math.round((tokens / Math.max(1, contextWindow)) * 100))}%`;
  const fates = [
    `kept ${pluralize(counts.kept, 'message')}`,
    ...(counts.summarised > 0 ? [`summarized ${counts.summarised}`] : []),
    ...(counts.dropped > 0 ? [`dropped ${pluralize(counts.dropped, 'output')}`] : []),
  ];
  const parts = [
    `Context compressed: ${share(tokensBefore)} → ${share(tokensAfter)}`,
    fates.join(', '),
    '/context',
  ];
  return `${parts.join(` ${look.glyphs.separator} `)}${notice === undefined ? '' : ` ${look.glyphs.separator} ${notice}`}`;
}

function shellLines(item: Extract<Item, { kind: 'shell' }>, view: ItemView): readonly string[] {
  const { look, columns, isWhole = false } = view;
  const { paint, glyphs } = look;
  const { command, exitCode, durationMs } = item;
  const isFailed = exitCode !== 0 && exitCode !== null;
  const time =
    durationMs === undefined ? '' : paint('dim', ` ${glyphs.separator} ${describeTime(durationMs)}`);
  const tail = (isFailed ? `  ${paint('error', `exit ${exitCode}`)}` : '') + time;
  const room = Math.max(1, columns - 2 - textWidth(tail));
  const head = `${paint('bashMode', '!')} ${bold(truncateText(oneLine(command), room, glyphs.ellipsis))}${tail}`;
  const inner = Math.max(1, columns - outputIndent.length);
  const { lines, more } = cutShellOutput(item, { columns: inner, ellipsis: glyphs.ellipsis, isWhole });
  return [
    head,
    ...more.map((line) => outputIndent + paint('dim', line)),
    ...lines.map((line) => (line === '' ? '' : outputIndent + paint('muted', line))),
  ];
}

/** One line closes a run: how many calls, how long, what it used and cost. */
function runEndLines(item: Extract<Item, { kind: 'run-end' }>, view: ItemView): readonly string[] {
  const { look, columns } = view;
  const { outcome, toolCount, durationMs } = item;
  const { usage, cost, status } = outcome;
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const isCounted = input + usage.output > 0;
  const parts = [
    ...(toolCount === 0 ? [] : [pluralize(toolCount, 'call')]),
    describeTime(durationMs),
    ...(isCounted ? [`${describeTokens(input)} in, ${describeTokens(usage.output)} out`] : []),
    ...(cost === 0 ? [] : [describeMoney(cost)]),
  ];
  const line = (count: number) => callIndent + parts.slice(0, count).join(` ${look.glyphs.separator} `);
  // Half a price would be another price: what does not fit is left out as a whole.
  const fitting = parts.findLastIndex((_, index) => textWidth(line(index + 1)) <= columns);
  const end = look.paint('dim', line(Math.max(1, fitting + 1))) + promptMarks.outputEnd;
  // A run that ended before anything was done is told by its error.
  const isEmpty = toolCount === 0 && !isCounted && status !== 'completed';
  const ends = isEmpty ? [] : [end];
  if (status !== 'aborted') return ends;
  const told = noticeLines(interrupted, view);
  return ['', ...told.slice(0, -1), (told.at(-1) ?? '') + (isEmpty ? promptMarks.outputEnd : ''), ...ends];
}
