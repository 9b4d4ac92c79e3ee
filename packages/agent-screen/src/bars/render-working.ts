import { describeTokens } from '@robota-sdk/agent-sdk/front-end';
import { textWidth, truncateMiddle, truncateText } from '@robota-sdk/agent-tui';
import { type Activity, describeWait } from '../live/activity.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

export interface WorkingView {
  readonly look: AppStyle;
  readonly columns: number;
  readonly now: number;
  /** The phase of the wave; undefined without animation. */
  readonly wave: number | undefined;
  readonly interruptKey: string;
  /** The key that moves the running commands to the background, where there are any. */
  readonly backgroundKey?: string | undefined;
}

/** The working line: the activity, its duration, and how to stop it. */
export function renderWorking(activity: Activity, view: WorkingView): string {
  const { look, columns, now, wave, interruptKey, backgroundKey } = view;
  const isTimed = activity.until !== undefined && activity.until > now;
  const time = describeWait(activity, now);
  const hintOf = (key: string, verb: string) =>
    `${look.paint('dim', ` ${look.glyphs.separator} `)}${key} ${look.paint('dim', verb)}`;
  const background = backgroundKey === undefined ? '' : hintOf(backgroundKey, 'background');
  const verb = activity.isParked ? 'stop waiting' : isTimed ? 'cancel' : 'interrupt';
  const hint = hintOf(interruptKey, verb) + background;
  const sign = `${look.paint(isTimed ? 'warning' : 'accent', look.glyphs.running)} `;
  const { tokens } = activity;
  const written =
    tokens === undefined || isTimed ? '' : ` ${look.glyphs.separator} ${describeTokens(tokens)} tokens`;
  const tail = look.paint('muted', time === '' ? '' : ` ${time}`) + look.paint('dim', written) + hint;
  const { ellipsis } = look.glyphs;
  const end = isTimed ? '' : ellipsis;
  // The keys stay in sight: a long call gives way.
  const timeRoom = Math.max(0, usualTime - time.length);
  const room = Math.max(leastShown, columns - textWidth(sign + end + tail) - timeRoom);
  const shown = truncateMiddle(activity.what, room, { endWidth: Math.floor(room / 3), mark: ellipsis }) + end;
  const moving = wave === undefined ? look.paint('accent', shown) : waved(shown, wave, look);
  const line = sign + moving + tail;
  return truncateText(line, columns, look.glyphs.ellipsis);
}

/** Columns of most times, kept free so that the call stays the same while they pass. */
const usualTime = 4;
/** The fewest columns of what is done. */
const leastShown = 16;

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
