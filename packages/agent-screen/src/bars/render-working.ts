import { truncateText } from '@robota-sdk/agent-tui';
import { type Activity, describeWait } from '../live/activity.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

export interface WorkingView {
  readonly look: AppStyle;
  readonly columns: number;
  readonly now: number;
  /** The phase of the wave; undefined without animation. */
  readonly wave: number | undefined;
  readonly interruptKey: string;
}

/** The working line: the activity, its duration, and how to stop it. */
export function renderWorking(activity: Activity, view: WorkingView): string {
  const { look, columns, now, wave, interruptKey } = view;
  const isTimed = activity.until !== undefined && activity.until > now;
  const shown = isTimed ? activity.what : activity.what + look.glyphs.ellipsis;
  const time = describeWait(activity, now);
  const moving = wave === undefined ? look.paint('accent', shown) : waved(shown, wave, look);
  const hint = `${look.paint('dim', ` ${look.glyphs.separator} `)}${interruptKey} ${look.paint('dim', isTimed ? 'cancel' : 'interrupt')}`;
  const sign = look.paint(isTimed ? 'warning' : 'accent', look.glyphs.running);
  const line = `${sign} ${moving}${look.paint('muted', time === '' ? '' : ` ${time}`)}${hint}`;
  return truncateText(line, columns, look.glyphs.ellipsis);
}

/** How many letters of the word are lit at once. */
const crest = 3;

/** A light that goes through a word. */
function waved(text: string, wave: number, look: AppStyle): string {
  const letters = [...text];
  const start = (wave % (letters.length + crest)) - crest;
  const part = (from: number, to: number) => letters.slice(Math.max(0, from), Math.max(0, to)).join('');
  const lit = part(start, start + crest);
  const paint = (token: 'accent' | 'muted', letter: string) =>
    letter === '' ? '' : look.paint(token, letter);
  return (
    paint('muted', part(0, start)) +
    paint('accent', lit) +
    paint('muted', part(start + crest, letters.length))
  );
}
