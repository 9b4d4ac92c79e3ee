import { describeCost, pluralize } from '@robota-sdk/agent-sdk/front-end';
import type { CompactionItem, Item, ToolItem } from '@robota-sdk/agent-sessions';
import {
  bold,
  filterEscapes,
  Markdown,
  oneLine,
  promptMarks,
  truncateText,
  wrapHanging,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { cutNotice, type NoticeText } from './cut-notice.ts';
import { describeCompaction } from './describe-compaction.ts';
import { describeTokens } from './describe-count.ts';
import { describeTime } from './describe-time.ts';
import type { ItemKind, ItemView } from './item-view.ts';
import { leftOut } from './left-out.ts';
import { renderHiddenThinking, renderThinking } from './render-thinking.ts';
import { renderTool } from './render-tool.ts';
import { toolImage } from './tool-image.ts';

/** How far the text of sections stands in. */
export const indent = '   ';

/** The lines of an item in the classic view. */
export function renderClassic(item: Item, view: ItemView): readonly string[] {
  return [...classicLead(item, view), ...linesOf(item, view)];
}

/** The lines above an item: a blank line, and the label of a new section. */
export function classicLead(item: ItemKind, { look, previous, columns }: ItemView): readonly string[] {
  const section = sectionOf(item);
  const isNew = previous === undefined || sectionOf(previous) !== section || ownSections.has(section);
  // Thinking and the answer are one section with a gap between them.
  if (!isNew) return section === 'robota' && previous.kind !== item.kind ? [''] : [];
  const blank = previous === undefined ? [] : [''];
  const label = section === 'tools' ? 'Tools:' : section === 'robota' ? 'Robota:' : undefined;
  return label === undefined ? blank : [...blank, truncateText(` ${labelled(look, label)}`, columns), ''];
}

/** Each of these stands apart from its like, too. */
const ownSections = new Set(['user', 'notice', 'shell']);

/** A label is white and bold, whatever the theme has for texts. */
function labelled(look: AppStyle, label: string): string {
  return look.paint('text', bold(label));
}

function sectionOf({ kind }: ItemKind): string {
  if (kind === 'tool' || kind === 'reads') return 'tools';
  if (kind === 'note' || kind === 'cut' || kind === 'compaction') return 'notice';
  return kind === 'answer' || kind === 'thinking' ? 'robota' : kind;
}

function linesOf(item: Item, view: ItemView): readonly string[] {
  const { look, columns } = view;
  const inner = Math.max(1, columns - indent.length);
  switch (item.kind) {
    case 'user':
      return userLines(view.isWhole ? item.text : (item.shown ?? item.text), view);
    case 'answer': {
      const markdown = new Markdown({ look, indent, code: view.isFlowing ? 'whole' : 'indented' });
      markdown.append(item.text);
      markdown.finish();
      return markdown.render(columns);
    }
    case 'thinking':
      return (view.isThinkingHidden ? renderHiddenThinking : renderThinking)(item.text, {
        look,
        columns,
        indent,
      });
    case 'tool':
      return toolLines(item, view, inner);
    case 'notice':
      return noticeLines(item, view);
    case 'note':
      return noticeLines({ level: 'info', text: item.text }, view);
    case 'cut':
      return noticeLines(cutNotice(item), view);
    case 'compaction':
      return compactionLines(item, view);
    case 'shell':
      return shellLines(item, view);
    case 'run-end':
      return [runEndLine(item, view)];
  }
}

/** An image has separate rows below its call. */
function toolLines(item: ToolItem, view: ItemView, columns: number): readonly string[] {
  const { look, isWhole, isHistory } = view;
  const lines = renderTool(item, { look, columns, isWhole, isHistory }).map((line) => indent + line);
  return [...lines, ...toolImage(item, view, columns)];
}

/** Maximum rows of a message in the scrollback, for pasted files; the pager has it all. */
const saidRows = 40;
const saidLength = 8192;

function userLines(text: string, { look, columns, isWhole }: ItemView): readonly string[] {
  const room = Math.max(1, columns - 3);
  const said = isWhole ? text : text.slice(0, saidLength);
  const all = wrapText(filterEscapes(said).trimEnd().replaceAll('\t', '  '), room);
  const isCut = !isWhole && (all.length > saidRows || said.length < text.length);
  const lines = (isCut ? all.slice(0, saidRows) : all).map((line, index) => {
    const mark = index === 0 ? promptMarks.promptStart : '';
    const lead = index === 0 ? ` ${look.paint('accent', look.glyphs.pointer)} ` : indent;
    return mark + lead + look.paint('userMessageBg', look.paint('userMessageText', bold(line)));
  });
  if (!isCut) return lines;
  const length = pluralize(text.length, 'character');
  const more = truncateText(`${look.glyphs.ellipsis} ${length} in all`, room, look.glyphs.ellipsis);
  return [...lines, indent + look.paint('dim', more)];
}

/** The summary is part of the whole item only: it can be long. */
function compactionLines(item: CompactionItem, view: ItemView): readonly string[] {
  const level = item.notice === undefined ? 'info' : 'warning';
  const lines = noticeLines({ level, text: describeCompaction(item) }, view);
  const { summary = '' } = item;
  if (!view.isWhole || summary.trim() === '') return lines;
  return [...lines, '', ...noticeLines({ level: 'info', text: summary.trim() }, view)];
}

function noticeLines(item: NoticeText, { look, columns }: ItemView): readonly string[] {
  const { level, text } = item;
  const sign = level === 'error' ? `${look.glyphs.failure} ` : level === 'warning' ? '! ' : '';
  const token = level === 'info' ? 'muted' : level;
  const room = Math.max(1, columns - 1 - sign.length);
  const lines = filterEscapes(text)
    .trimEnd()
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapHanging(line, room));
  return lines.map((line, index) =>
    line === '' ? '' : look.paint(token, ` ${index === 0 ? sign : ' '.repeat(sign.length)}${line}`),
  );
}

/** How many lines of a command's output stay in the scrollback; the pager has them all. */
const shellRows = 20;

function shellLines(item: Extract<Item, { kind: 'shell' }>, view: ItemView): readonly string[] {
  const { look, columns, isWhole } = view;
  const { command, output, exitCode, durationMs } = item;
  const edge = (line: string) => look.paint('bashMode', line);
  const head = ` ${edge('!')} ${bold(truncateText(oneLine(command), Math.max(1, columns - 3), look.glyphs.ellipsis))}`;
  const room = Math.max(1, columns - 4);
  const lines = filterEscapes(output).trimEnd().split('\n');
  const hidden = isWhole ? 0 : Math.max(0, lines.length - shellRows);
  const body = lines.slice(hidden).flatMap((line) => wrapText(line.replaceAll('\t', '  '), room));
  const missing = leftOut(output);
  const earlier = pluralize(hidden + (missing?.lines ?? 0), 'earlier line');
  const told = `${look.glyphs.ellipsis} ${earlier}${missing ? `; ${missing.note}` : ''}`;
  const more = hidden === 0 ? [] : wrapText(filterEscapes(told), room).map((line) => look.paint('dim', line));
  const took = durationMs === undefined ? [] : [`Took ${describeTime(durationMs)}`];
  const code = exitCode === 0 || exitCode === null ? [] : [`exit code ${exitCode}`];
  const foot = [...code, ...took].join(` ${look.glyphs.separator} `);
  return [
    head,
    ...(output.trim() === ''
      ? []
      : [...more, ...body].map((line) => ` ${edge(look.glyphs.vertical)} ${line}`)),
    ...(foot === ''
      ? []
      : [` ${edge(look.glyphs.vertical)} ${look.paint(code.length > 0 ? 'error' : 'dim', foot)}`]),
  ];
}

/** One line closes a run: what it did, used and cost. */
function runEndLine(item: Extract<Item, { kind: 'run-end' }>, { look, columns }: ItemView): string {
  const { outcome, toolCount, durationMs } = item;
  const { usage, cost, turns, status } = outcome;
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const cached = input === 0 ? 0 : Math.round((usage.cacheRead / input) * 100);
  const dim = (text: string) => look.paint('dim', text);
  const parts = [
    ...(status === 'aborted' ? [look.paint('warning', 'interrupted')] : []),
    ...(toolCount === 0 ? [] : [`${labelled(look, 'Tool:')} ${dim(`[${pluralize(toolCount, 'tool')}]`)}`]),
    dim(pluralize(turns, 'turn')),
    dim(
      `${describeTokens(input)} in${cached > 0 ? ` (${cached}% cached)` : ''} ${describeTokens(usage.output)} out`,
    ),
    ...(cost === 0 ? [] : [dim(describeCost(cost))]),
    dim(describeTime(durationMs)),
  ];
  const line = ` ${parts.join(dim(` ${look.glyphs.separator} `))}`;
  return truncateText(line, columns, look.glyphs.ellipsis) + promptMarks.outputEnd;
}
