import { bold, oneLine, renderTitleRule } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The title of a screen and what stands at its right; of several notes the first are the most important. */
export interface ScreenTitle {
  readonly title: string;
  readonly notes?: readonly string[];
}

/** The ruled first line of a screen. */
export function renderScreenTitle({ title, notes = [] }: ScreenTitle, width: number, look: AppStyle): string {
  return renderTitleRule(
    {
      title: look.paint('accent', bold(oneLine(title))),
      note: notes.flatMap((note) => (note === '' ? [] : look.paint('dim', oneLine(note)))),
      rule: (text) => look.paint('accent', text),
    },
    width,
    look,
  );
}
