import { randomBytes } from 'node:crypto';
import { limitText } from '@robota-sdk/agent-tools';
import type { DispatchOptions } from './dispatch-input.ts';

/** More of a pasted text than this goes into a file the model can search; pipes have the same limit. */
const maxCharacters = 100_000;
/** A piped text that was shortened already has a few words around it. */
const tolerance = 1_000;

/** An input with the places of what was pasted into it. */
export interface LongInput {
  readonly text: string;
  readonly pasted: NonNullable<DispatchOptions['pasted']>;
  readonly suffix: string;
}

/** True if a text of that many characters is told as a whole. */
export function isShortEnough({ text, suffix }: LongInput): boolean {
  return text.length + suffix.length <= maxCharacters + tolerance;
}

/**
 * Keeps long pasted parts with the long outputs of the session, where the model may read; it is told both ends
 * and the path. What was typed stays as it is, unless that alone is too long.
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
