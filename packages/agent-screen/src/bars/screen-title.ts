import { bold, oneLine, renderTitleRule } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The title of a screen and the notes at its right. */
export interface ScreenTitle {
  readonly title: string;
  /** A single text stays and the title is cut. Of a list, the last are left out first. */
  readonly notes?: string | readonly string[];
}

/** The ruled first line of a screen. */
export function renderScreenTitle({ title, notes = [] }: ScreenTitle, width: number, look: AppStyle): string {
  const paintNote = (note: string) => (note === '' ? '' : look.paint('dim', oneLine(note)));
  return renderTitleRule(
    {
      title: look.paint('accent', bold(oneLine(title))),
      note: typeof notes === 'string' ? paintNote(notes) : notes.filter((note) => note !== '').map(paintNote),
      rule: (text) => look.paint('accent', text),
    },
    width,
    look,
  );
}
