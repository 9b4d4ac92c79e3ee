import { renderKeyHints, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** A question in the last line; enter says yes, every other key no. */
export interface LineQuestion {
  readonly text: string;
  /** The word for enter, such as `stop`. */
  readonly verb: string;
  onYes(): void;
}

/** `Stop bash-1? enter stop · esc cancel`. */
export function renderLineQuestion({ text, verb }: LineQuestion, width: number, look: AppStyle): string {
  const keys = [
    { keys: 'enter', text: verb },
    { keys: 'esc', text: 'cancel' },
  ];
  const line = `${look.paint('warning', text)} ${renderKeyHints(keys, width, look)}`;
  return truncateText(line, width, look.glyphs.ellipsis);
}
