import { isJsonObject, pluralize, toolStateOf } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { bold, oneLine, strike, textWidth, truncateMiddle, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { callSign } from './call-sign.ts';
import { describeSeconds, describeTime } from './describe-time.ts';

/** The most columns of the argument, and how much of its end stays where it is longer. */
const argumentWidth = 80;
const argumentEnd = 30;

export interface TitleView {
  readonly look: AppStyle;
  readonly columns: number;
  /** A short note, such as the number of results. */
  readonly note?: string | undefined;
}

/** A call in one line: its state, `Tool(telling argument)`, a note, and how long it took or has been running. */
export function toolTitle(item: ToolItem, { look, columns, note }: TitleView): string {
  const { glyph, token } = callSign(item);
  const isStruck = !['running', 'background', 'done', 'open'].includes(item.state);
  // Brighter than what runs.
  const sign = item.state === 'denied' ? bold(look.glyphs[glyph]) : look.glyphs[glyph];
  const beside = [note, timeOf(item)].filter((part) => part !== undefined).join(` ${look.glyphs.separator} `);
  const room = Math.max(4, columns - 2 - (beside === '' ? 0 : textWidth(beside) + 1));
  const call = callText(item, room);
  const title = look.paint(backgrounds[item.state], look.paint('toolTitle', isStruck ? strike(call) : call));
  const end = beside === '' ? '' : ` ${look.paint('dim', beside)}`;
  return truncateText(`${look.paint(token, sign)} ${title}${end}`, columns, look.glyphs.ellipsis);
}

/** `Tool(telling argument)`, where a long argument keeps its end. */
export function callText({ callId, name, input }: ToolItem, room = Number.POSITIVE_INFINITY): string {
  const { toolName, firstArg: first } = toolStateOf({ id: callId, name, input });
  const firstArg = todosText(input) ?? first;
  const tool = oneLine(toolName);
  const width = Math.min(argumentWidth, Math.max(1, room - tool.length - 2));
  const end = Math.min(argumentEnd, Math.floor(width / 2));
  return `${tool}(${truncateMiddle(oneLine(firstArg), width, { endWidth: end })})`;
}

/** A list of things to do stands below its call, so their number is enough. */
function todosText(input: ToolItem['input']): string | undefined {
  const todos = isJsonObject(input) ? input['todos'] : undefined;
  return Array.isArray(todos) ? pluralize(todos.length, 'todo') : undefined;
}

const backgrounds = {
  running: 'toolPendingBg',
  background: 'toolPendingBg',
  open: 'toolPendingBg',
  done: 'toolSuccessBg',
  denied: 'toolErrorBg',
  skipped: 'toolErrorBg',
  failed: 'toolErrorBg',
  stopped: 'toolErrorBg',
  lost: 'toolErrorBg',
} as const;

/** Quick calls need no time beside them. */
const noticeableMs = 1000;

function timeOf({ state, durationMs = 0 }: ToolItem): string | undefined {
  if (durationMs < noticeableMs) return undefined;
  return state === 'running' ? describeSeconds(Math.floor(durationMs / 1000)) : describeTime(durationMs);
}
