import { type RunStyle, readTerminalText, type TextColour } from '../view/terminal-text.ts';
import { element } from './element.ts';

/** Renders program output with its colors. */
export function renderTerminal(text: string): Node[] {
  return readTerminalText(text).map(({ text: content, style }) => {
    const classes = classesOf(style);
    if (classes === '' && !hasOwnColour(style)) return document.createTextNode(content);
    const span = element('span', classes === '' ? {} : { class: classes }, content);
    const [foreground, background] = coloursOf(style);
    if (isOwn(foreground)) span.style.color = cssColour(foreground);
    if (isOwn(background)) span.style.backgroundColor = cssColour(background);
    return span;
  });
}

/** The sixteen colours follow the theme, so they are classes. */
function classesOf(style: RunStyle): string {
  const [foreground, background] = coloursOf(style);
  const named = (['bold', 'dim', 'italic', 'underline', 'strike'] as const).filter((name) => style[name]);
  const isSwapped = style.inverse === true;
  return [
    ...named,
    ...(isNamed(foreground) ? [`fg${foreground}`] : isSwapped && !isOwn(foreground) ? ['fg-inverse'] : []),
    ...(isNamed(background) ? [`bg${background}`] : isSwapped && !isOwn(background) ? ['bg-inverse'] : []),
  ].join(' ');
}

function coloursOf({ foreground, background, inverse }: RunStyle): (TextColour | undefined)[] {
  return inverse ? [background, foreground] : [foreground, background];
}

function hasOwnColour(style: RunStyle): boolean {
  return isOwn(style.foreground) || isOwn(style.background);
}

function isNamed(colour: TextColour | undefined): colour is number {
  return typeof colour === 'number' && colour >= 0 && colour < 16;
}

function isOwn(colour: TextColour | undefined): colour is TextColour {
  return typeof colour === 'string' || (typeof colour === 'number' && colour >= 16);
}

/** The cube of 6 × 6 × 6 colours, then 24 greys. */
function cssColour(colour: TextColour): string {
  if (typeof colour === 'string') return colour;
  if (colour >= 232) {
    const grey = 8 + (colour - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const level = (index: number) => (index === 0 ? 0 : 55 + index * 40);
  const place = colour - 16;
  return `rgb(${level(Math.floor(place / 36))}, ${level(Math.floor(place / 6) % 6)}, ${level(place % 6)})`;
}
