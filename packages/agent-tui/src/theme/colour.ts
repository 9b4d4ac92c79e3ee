import type { Rgb } from '../input/input-event.ts';
import type { ColourDepth } from '../terminal/capabilities.ts';

/**
 * A colour: of the terminal's palette (0 to 255), exact, the terminal's own, or that one fainter or reversed. A ground may
 * colour the text on it instead, where the palette has no readable pair.
 */
export type Colour = number | Rgb | 'default' | 'faint' | 'reverse' | { readonly text: number };

/** The parameters that set a colour on a terminal with so many colours; empty if it shows none. */
export function colourParameters(colour: Colour, depth: ColourDepth, layer: 'text' | 'background'): string {
  if (depth === 'none' || colour === 'default') return '';
  if (colour === 'faint') return '2';
  if (colour === 'reverse') return '7';
  if (isTextColour(colour)) return colourParameters(colour.text, depth, 'text');
  const base = layer === 'text' ? 38 : 48;
  if (depth === 'true' && typeof colour !== 'number') return `${base};2;${colour.join(';')}`;
  const index = typeof colour === 'number' ? colour : nearestOf256(colour, layer);
  if (depth !== '16') return `${base};5;${index}`;
  const basic = index < 16 ? index : nearestOf16(typeof colour === 'number' ? paletteColour(index) : colour);
  return String((basic < 8 ? 30 + basic : 82 + basic) + (layer === 'text' ? 0 : 10));
}

/** A ground that colours its text. */
export function isTextColour(colour: Colour | undefined): colour is { readonly text: number } {
  return typeof colour === 'object' && 'text' in colour;
}

const cubeSteps = [0, 95, 135, 175, 215, 255];
const basicColours: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** The colour of a number of the palette with 256 colours. */
export function paletteColour(index: number): Rgb {
  const basic = basicColours[index];
  if (basic) return basic;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const offset = index - 16;
  const step = (digit: number) => cubeSteps[digit] ?? 0;
  return [step(Math.floor(offset / 36)), step(Math.floor(offset / 6) % 6), step(offset % 6)];
}

/** The first sixteen look different on every terminal, so exact colours become one of the others. */
function nearestOf256(colour: Rgb, layer: 'text' | 'background'): number {
  const light = lightnessOf(colour);
  // The palette has few light colours: a ground may become lighter, but not darker, than the exact one.
  const least = layer === 'background' && light > midGrey ? Math.min(light + lightnessMargin, white) : 0;
  return nearest(colour, { first: 16, last: 255, least });
}

const midGrey = 128;
const white = 254;
/** Makes up for the text, whose colour is not exact either. */
const lightnessMargin = 2;

function lightnessOf([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function nearestOf16(colour: Rgb): number {
  return nearest(colour, { first: 0, last: 15, least: 0 });
}

interface PaletteRange {
  readonly first: number;
  readonly last: number;
  /** The least lightness of the colour. */
  readonly least: number;
}

function nearest(colour: Rgb, { first, last, least }: PaletteRange): number {
  let best = last;
  let shortest = Number.POSITIVE_INFINITY;
  for (let index = first; index <= last; index++) {
    const candidate = paletteColour(index);
    const distance = distanceBetween(colour, candidate);
    if (distance >= shortest || lightnessOf(candidate) < least) continue;
    best = index;
    shortest = distance;
  }
  return best;
}

/** Weighted by perception: green counts most, blue least. */
function distanceBetween(one: Rgb, other: Rgb): number {
  const [red, green, blue] = [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
  return 2 * red * red + 4 * green * green + 3 * blue * blue;
}
