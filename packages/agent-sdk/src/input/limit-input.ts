import { randomBytes } from 'node:crypto';
import { limitText } from '@robota-sdk/agent-tools';
import type { DispatchOptions } from './dispatch-input.ts';

/** Longer pasted text goes into a file that the model can search; pipes have the same limit. */
const maxCharacters = 100_000;
/** A shortened piped text has a few extra words. */
const tolerance = 1_000;

/** An input and the positions of its pasted parts. */
export interface LongInput {
  readonly text: string;
  readonly pasted: NonNullable<DispatchOptions['pasted']>;
  readonly suffix: string;
}

/** True if a text of that many characters is sent as a whole. */
export function isShortEnough({ text, suffix }: LongInput): boolean {
  return text.length + suffix.length <= maxCharacters + tolerance;
}

/**
 * Saves long pasted parts with the long outputs of the session, where the model may read; the model gets both ends and
 * the path. Typed text is unchanged, unless it is too long itself.
 */
export async function limitInput(input: LongInput, outputDir: string): Promise<LongInput> {
  const shorten = async (text: string) => {
    const name = `paste-${randomBytes(4).toString('hex')}`;
    return (await limitText(text, { outputDir, name, limit: maxCharacters })).text;
  };
  const suffix = await shorten(input.suffix);
  const pasted: { start: number; end: number }[] = [];
  let text = '';
  let place = 0;
  for (const span of [...input.pasted].sort((one, other) => one.start - other.start)) {
    const start = Math.max(place, span.start);
    if (span.end <= start) continue;
    text += input.text.slice(place, start);
    const part = await shorten(input.text.slice(start, span.end));
    pasted.push({ start: text.length, end: text.length + part.length });
    text += part;
    place = span.end;
  }
  text += input.text.slice(place);
  if (pasted.length > 0 || text.length <= maxCharacters) return { text, pasted, suffix };
  const whole = await shorten(text);
  return { text: whole, pasted, suffix };
}
