import { type CallState, isJsonObject } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import type { AppStyle } from '../theme/app-tokens.ts';
import { hasFailedInside } from './command-output.ts';

/** How the state of a call looks in front of it. */
export interface CallSign {
  readonly glyph: 'running' | 'arrow' | 'success' | 'denied' | 'failure';
  readonly token: 'warning' | 'muted' | 'success' | 'error';
  /** The call did not do what it was asked for. */
  readonly isStruck: boolean;
}

const signs: Readonly<Record<CallState, CallSign>> = {
  running: { glyph: 'running', token: 'warning', isStruck: false },
  background: { glyph: 'arrow', token: 'muted', isStruck: false },
  done: { glyph: 'success', token: 'success', isStruck: false },
  open: { glyph: 'denied', token: 'warning', isStruck: false },
  denied: { glyph: 'denied', token: 'warning', isStruck: true },
  skipped: { glyph: 'denied', token: 'warning', isStruck: true },
  failed: { glyph: 'failure', token: 'error', isStruck: false },
  stopped: { glyph: 'failure', token: 'error', isStruck: false },
  lost: { glyph: 'failure', token: 'error', isStruck: false },
};
const failedInside: CallSign = { glyph: 'failure', token: 'warning', isStruck: false };

/** The sign of a call. A command that succeeded is not green where its own output says that something failed. */
export function callSign(item: ToolItem): CallSign {
  const { state, display } = item;
  const command = state === 'done' && display?.kind !== 'text' ? commandOf(item) : undefined;
  if (command !== undefined && hasFailedInside(resultText(item), command)) return failedInside;
  return signs[state];
}

/** The sign, painted. */
export function paintedSign(item: ToolItem, { paint, glyphs }: AppStyle): string {
  const { glyph, token } = callSign(item);
  return paint(token, glyphs[glyph]);
}

/** The command of a call that runs one. */
export function commandOf({ name, input }: ToolItem): string | undefined {
  const command = name === 'Bash' && isJsonObject(input) ? input['command'] : undefined;
  return typeof command === 'string' ? command : undefined;
}

/** The visible text of the result. The exit code of a command stands in its line. */
export function resultText({ display, output }: ToolItem): string {
  if (display?.kind === 'terminal') {
    const remark = `[exit code ${display.exitCode}]`;
    const text = display.output === '(no output)' ? '' : display.output;
    return (text.endsWith(remark) ? text.slice(0, -remark.length) : text).replace(/^\n+/, '').trimEnd();
  }
  return (display?.kind === 'text' ? display.text : output).replace(/^\n+/, '').trimEnd();
}
