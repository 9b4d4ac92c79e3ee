import { isJsonObject, pluralize, toolStateOf } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { bold, oneLine, strike, textWidth, truncateMiddle, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
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
  const { sign, paint, isStruck } = stateOf(item.status, look);
  const beside = [note, timeOf(item)].filter((part) => part !== undefined).join(` ${look.glyphs.separator} `);
  const room = Math.max(4, columns - 2 - (beside === '' ? 0 : textWidth(beside) + 1));
  const call = callText(item, room);
  const title = look.paint(paint.background, look.paint('toolTitle', isStruck ? strike(call) : call));
  const end = beside === '' ? '' : ` ${look.paint('dim', beside)}`;
  return truncateText(`${look.paint(paint.text, sign)} ${title}${end}`, columns, look.glyphs.ellipsis);
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

interface StateLook {
  readonly sign: string;
  readonly paint: {
    readonly text: 'warning' | 'success' | 'error';
    readonly background: 'toolPendingBg' | 'toolSuccessBg' | 'toolErrorBg';
  };
  readonly isStruck: boolean;
}

function stateOf(status: ToolItem['status'], { glyphs }: AppStyle): StateLook {
  switch (status) {
    case 'running':
      return {
        sign: glyphs.running,
        paint: { text: 'warning', background: 'toolPendingBg' },
        isStruck: false,
      };
    case 'success':
      return {
        sign: glyphs.success,
        paint: { text: 'success', background: 'toolSuccessBg' },
        isStruck: false,
      };
    case 'denied':
      return {
        // Brighter than what runs.
        sign: bold(glyphs.denied),
        paint: { text: 'warning', background: 'toolErrorBg' },
        isStruck: true,
      };
    default:
      return { sign: glyphs.failure, paint: { text: 'error', background: 'toolErrorBg' }, isStruck: true };
  }
}

/** Quick calls need no time beside them. */
const noticeableMs = 1000;

function timeOf({ status, durationMs = 0 }: ToolItem): string | undefined {
  if (durationMs < noticeableMs) return undefined;
  return status === 'running' ? describeSeconds(Math.floor(durationMs / 1000)) : describeTime(durationMs);
}
