import { shapeDefinitions, shapeOf } from './glyph-shapes.ts';
import {
  type Frame,
  frameKey,
  type Run,
  type RunStyle,
  rowText,
  type ScreenRow,
  type TimedFrame,
} from './screen-row.ts';
import type { RecordingSize } from './write-cast.ts';

/** Colours of the window around a screen. */
interface WindowColours {
  readonly ground: string;
  readonly text: string;
  readonly bar: string;
  readonly edge: string;
  readonly title: string;
}

const windows: Readonly<Record<'dark' | 'light', WindowColours>> = {
  dark: { ground: '#14181f', text: '#dfe3e8', bar: '#1c222b', edge: '#343c47', title: '#8b95a3' },
  light: { ground: '#ffffff', text: '#1f2328', bar: '#f4f6f8', edge: '#d3d9e0', title: '#6b7580' },
};

export interface PictureOptions extends RecordingSize {
  readonly scheme: 'dark' | 'light';
  readonly title: string;
  /** A sentence for those who do not see the picture. */
  readonly description: string;
}

const cell = { width: 8.4, height: 19 };
const fontSize = 14;
const padding = 18;
const barHeight = 38;
const fonts =
  "ui-monospace,SFMono-Regular,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/** A picture of one screen in a window. */
export function stillSvg(frame: Frame, options: PictureOptions): string {
  const drawing = new Drawing(windows[options.scheme]);
  const screen = drawing.screen(frame, 0);
  return picture({ drawing, options, style: '', screens: screen });
}

/** A picture that plays a recording, again and again; readers who want no motion see one of its frames. */
export function animatedSvg(
  frames: readonly TimedFrame[],
  options: PictureOptions & { readonly stillAt: number },
): string {
  const drawing = new Drawing(windows[options.scheme]);
  const step = Math.ceil(options.columns * cell.width + 2 * padding);
  const places = new Map<string, number>();
  const screens: string[] = [];
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let time = 0;
  const stops = frames.map((frame) => {
    const key = frameKey(frame);
    const place = places.get(key) ?? places.size;
    if (!places.has(key)) screens.push(drawing.screen(frame, place * step));
    places.set(key, place);
    const stop = `${round((100 * time) / total)}%{transform:translateX(${-place * step}px)}`;
    time += frame.seconds;
    return stop;
  });
  const still = frames[options.stillAt];
  const stillPlace = (still && places.get(frameKey(still))) ?? 0;
  const style = `@keyframes play{${stops.join('')}}.film{animation:play ${round(total)}s step-end infinite}
@media(prefers-reduced-motion:reduce){.film{animation:none;transform:translateX(${-stillPlace * step}px)}}`;
  return picture({ drawing, options, style, screens: `<g class="film">${screens.join('')}</g>` });
}

function picture({
  drawing,
  options,
  style,
  screens,
}: {
  readonly drawing: Drawing;
  readonly options: PictureOptions;
  readonly style: string;
  readonly screens: string;
}): string {
  const { columns, rows, title, description, scheme } = options;
  const { ground, text, bar, edge, title: titleColour } = windows[scheme];
  const width = Math.ceil(columns * cell.width + 2 * padding);
  const height = Math.ceil(rows * cell.height + barHeight + 1.4 * padding);
  const inner = height - barHeight;
  const lights = ['#ff5f57', '#febc2e', '#28c840']
    .map((colour, index) => `<circle cx="${20 + 20 * index}" cy="${barHeight / 2}" r="6" fill="${colour}"/>`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(description)}">
<title>${escapeXml(description)}</title>
<style>text{font:${fontSize}px ${fonts};white-space:pre;fill:${text}}.b{font-weight:700}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}.d{opacity:.6}
${drawing.styles()}${style}</style>
<defs><clipPath id="window"><rect width="${width}" height="${inner}"/></clipPath>${shapeDefinitions(cell)}${drawing.definitions()}</defs>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${ground}" stroke="${edge}"/>
<path d="M.5 ${barHeight}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${barHeight}Z" fill="${bar}" stroke="${edge}"/>
${lights}<text x="${width / 2}" y="${barHeight / 2 + 5}" text-anchor="middle" style="fill:${titleColour};font-size:13px">${escapeXml(title)}</text>
<g transform="translate(0 ${barHeight})" clip-path="url(#window)" color="${text}">${screens}</g>
</svg>
`;
}

/** Draws screens; rows that occur more than once are drawn once and used again. */
class Drawing {
  readonly #window: WindowColours;
  readonly #rows = new Map<string, { readonly id: string; readonly svg: string }>();
  readonly #classes = new Map<string, string>();

  constructor(window: WindowColours) {
    this.#window = window;
  }

  screen({ rows, cursor }: Frame, x: number): string {
    const used = rows.flatMap((row, index) => {
      if (rowText(row).trim() === '' && row.every(({ ground }) => ground === undefined)) return [];
      return [`<use href="#${this.#row(row)}" y="${topOf(index)}"/>`];
    });
    const caret = cursor
      ? `<rect x="${leftOf(cursor.column)}" y="${topOf(cursor.row) + 1}" width="${cell.width}" height="${cell.height - 2}" fill="currentColor" opacity=".45"/>`
      : '';
    return `<g${x === 0 ? '' : ` transform="translate(${x})"`}>${used.join('')}${caret}</g>`;
  }

  definitions(): string {
    return [...this.#rows.values()].map(({ id, svg }) => `<g id="${id}">${svg}</g>`).join('\n');
  }

  styles(): string {
    return [...this.#classes].map(([colour, name]) => `.${name}{fill:${colour};color:${colour}}`).join('');
  }

  #row(row: ScreenRow): string {
    const key = JSON.stringify(row);
    const known = this.#rows.get(key);
    if (known) return known.id;
    const id = `r${this.#rows.size.toString(36)}`;
    this.#rows.set(key, { id, svg: this.#draw(row) });
    return id;
  }

  #draw(row: ScreenRow): string {
    let column = 0;
    const grounds: string[] = [];
    const texts: string[] = [];
    for (const run of row) {
      const { text: chars } = run;
      const length = [...chars].length;
      const { ground, colour } = this.#coloursOf(run);
      if (ground !== undefined)
        grounds.push(
          `<rect x="${leftOf(column)}" width="${round(length * cell.width)}" height="${cell.height}" fill="${ground}"/>`,
        );
      texts.push(...this.#drawRun(run, { column, colour }));
      column += length;
    }
    return [...grounds, ...texts].join('');
  }

  #coloursOf({ colour, ground, isInverse }: RunStyle) {
    if (!isInverse) return { colour, ground };
    return { colour: ground ?? this.#window.ground, ground: colour ?? this.#window.text };
  }

  #drawRun(
    run: Run,
    at: { readonly column: number; readonly colour: string | undefined },
  ): readonly string[] {
    const style = this.#classOf(run, at.colour);
    let { column } = at;
    const drawn: string[] = [];
    for (const piece of run.text.match(pieces) ?? []) {
      const length = [...piece].length;
      drawn.push(drawPiece(piece, { column, length, style }));
      column += length;
    }
    return drawn.filter((each) => each !== '');
  }

  #classOf(run: Run, colour: string | undefined): string {
    const names = [
      ...(colour === undefined ? [] : [this.#className(colour)]),
      ...(run.isBold ? ['b'] : []),
      ...(run.isItalic ? ['i'] : []),
      ...(run.isUnderlined ? ['u'] : []),
      ...(run.isStruck ? ['s'] : []),
      ...(run.isDim ? ['d'] : []),
    ];
    return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  }

  #className(colour: string): string {
    const name = this.#classes.get(colour) ?? `c${this.#classes.size}`;
    this.#classes.set(colour, name);
    return name;
  }
}

/** Rules, signs with a shape, and texts up to a wide gap. */
const pieces = /─+|│|[✓✗⊘⟳❯▸◷●]|(?:(?! {2})[^─│✓✗⊘⟳❯▸◷●])+| +/gu;

function drawPiece(
  piece: string,
  { column, length, style }: { readonly column: number; readonly length: number; readonly style: string },
): string {
  const x = leftOf(column);
  const width = round(length * cell.width);
  if (piece.startsWith('─'))
    return `<rect${style || ' fill="currentColor"'} x="${x}" y="9" width="${width}" height="1"/>`;
  if (piece === '│')
    return `<rect${style || ' fill="currentColor"'} x="${round(x + cell.width / 2)}" width="1" height="${cell.height}"/>`;
  const shape = shapeOf(piece);
  if (shape !== undefined) return `<use href="#${shape}"${style} x="${x}"/>`;
  if (piece.trim() === '') return '';
  // The length keeps columns where they are, whichever font there is.
  const fixed = length > 1 ? ` textLength="${width}"` : '';
  return `<text x="${x}" y="14"${fixed}${style}>${escapeXml(piece)}</text>`;
}

function leftOf(column: number): number {
  return round(padding + column * cell.width);
}

function topOf(row: number): number {
  return round(padding * 0.6 + row * cell.height);
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
