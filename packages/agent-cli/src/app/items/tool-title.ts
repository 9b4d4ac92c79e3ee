import { toolStateOf } from '@robota-sdk/agent-sdk';
import { bold, type Look, oneLine, strike, truncateMiddle, truncateText } from '@robota-sdk/agent-tui';
import { describeSeconds, describeTime } from './describe-time.ts';
import type { ToolItem } from './item.ts';

/** The most columns of a first argument, and how much of its end stays where it is longer. */
const argumentWidth = 80;
const argumentEnd = 30;

/** A call in one line: its state, `Tool(first argument)` and how long it took or has been running. */
export function toolTitle(item: ToolItem, look: Look, columns: number): string {
  const { sign, paint, isStruck } = stateOf(item.status, look);
  const time = timeOf(item, look);
  const room = Math.max(4, columns - 2 - time.width);
  const call = callText(item, room);
  const title = look.paint(paint.background, look.paint('toolTitle', isStruck ? strike(call) : call));
  return truncateText(`${look.paint(paint.text, sign)} ${title}${time.text}`, columns, look.glyphs.ellipsis);
}

/** `Tool(first argument)`, where a long argument keeps its end. */
export function callText({ callId, name, input }: ToolItem, room = Number.POSITIVE_INFINITY): string {
  const { toolName, firstArg } = toolStateOf({ id: callId, name, input });
  const tool = oneLine(toolName);
  const width = Math.min(argumentWidth, Math.max(1, room - tool.length - 2));
  const end = Math.min(argumentEnd, Math.floor(width / 2));
  return `${tool}(${truncateMiddle(oneLine(firstArg), width, end)})`;
}

interface StateLook {
  readonly sign: string;
  readonly paint: {
    readonly text: 'warning' | 'success' | 'error';
    readonly background: 'toolPendingBg' | 'toolSuccessBg' | 'toolErrorBg';
  };
  readonly isStruck: boolean;
}

function stateOf(status: ToolItem['status'], { glyphs }: Look): StateLook {
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

function timeOf({ status, durationMs = 0 }: ToolItem, look: Look): { text: string; width: number } {
  if (durationMs < noticeableMs) return { text: '', width: 0 };
  const told =
    status === 'running' ? describeSeconds(Math.floor(durationMs / 1000)) : describeTime(durationMs);
  return { text: ` ${look.paint('dim', told)}`, width: told.length + 1 };
}
