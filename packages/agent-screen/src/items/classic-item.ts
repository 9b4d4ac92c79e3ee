import { describeCost, describeTokens, pluralize } from '@robota-sdk/agent-sdk/front-end';
import type { CompactionItem, Item, ToolItem } from '@robota-sdk/agent-sessions';
import {
  bold,
  filterEscapes,
  Markdown,
  oneLine,
  promptMarks,
  truncateText,
  wrapHanging,
} from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { cutNotice, type NoticeText } from './cut-notice.ts';
import { cutPrompt, cutShellOutput } from './cut-text.ts';
import { describeCompaction } from './describe-compaction.ts';
import { describeTime } from './describe-time.ts';
import type { ItemKind, ItemView } from './item-view.ts';
import { renderHiddenThinking, renderThinking } from './render-thinking.ts';
import { renderTool } from './render-tool.ts';
import { toolImage } from './tool-image.ts';
import { renderPlanText } from './tool-result.ts';

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

function userLines(text: string, { look, columns, isWhole = false }: ItemView): readonly string[] {
  const { ellipsis, pointer } = look.glyphs;
  const { lines, more } = cutPrompt(text, { columns: Math.max(1, columns - 3), ellipsis, isWhole });
  const shown = lines.map((line, index) => {
    const mark = index === 0 ? promptMarks.promptStart : '';
    const lead = index === 0 ? ` ${look.paint('accent', pointer)} ` : indent;
    return mark + lead + look.paint('userMessageBg', look.paint('userMessageText', bold(line)));
  });
  return more === undefined ? shown : [...shown, indent + look.paint('dim', more)];
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
  const { level, text, isMarkdown } = item;
  if (isMarkdown) return markdownLines(text, { look, columns });
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

/** A line, and the Markdown after it. */
function markdownLines(
  text: string,
  { look, columns }: Pick<ItemView, 'look' | 'columns'>,
): readonly string[] {
  const end = text.indexOf('\n');
  const room = Math.max(1, columns - 1);
  const head = truncateText(oneLine(text.slice(0, end)), room, look.glyphs.ellipsis);
  const lines = renderPlanText({ text: text.slice(end + 1) }, { look, columns: room });
  return [look.paint('muted', head), ...lines].map((line) => (line === '' ? '' : ` ${line}`));
}

function shellLines(item: Extract<Item, { kind: 'shell' }>, view: ItemView): readonly string[] {
  const { look, columns, isWhole = false } = view;
  const { command, exitCode, durationMs } = item;
  const { ellipsis, separator, vertical } = look.glyphs;
  const edge = (line: string) => look.paint('bashMode', line);
  const head = ` ${edge('!')} ${bold(truncateText(oneLine(command), Math.max(1, columns - 3), ellipsis))}`;
  const { lines, more } = cutShellOutput(item, { columns: Math.max(1, columns - 4), ellipsis, isWhole });
  const took = durationMs === undefined ? [] : [`Took ${describeTime(durationMs)}`];
  const code = exitCode === 0 || exitCode === null ? [] : [`exit code ${exitCode}`];
  const foot = [...code, ...took].join(` ${separator} `);
  const body = [
    ...more.map((line) => look.paint('dim', line)),
    ...lines,
    ...(foot === '' ? [] : [look.paint(code.length > 0 ? 'error' : 'dim', foot)]),
  ];
  return [head, ...body.map((line) => ` ${edge(vertical)} ${line}`)];
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
