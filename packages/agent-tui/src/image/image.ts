import { createRenderStyle, oneLine, type RenderStyle } from '../components/render-style.ts';
import type { Component } from '../text/component.ts';
import { truncateText } from '../text/truncate-text.ts';
import { decodedLength, encodeImage, type ImageProtocol } from './encode-image.ts';
import { type ImageHeader, readImageHeader } from './read-image-header.ts';

/** The size of a cell of the terminal in pixels. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}

/** An image and its target terminal. */
export interface ImageOptions {
  /** The bytes in Base64. */
  readonly data: string;
  /** Its name where it cannot be shown. */
  readonly name?: string;
  readonly look?: RenderStyle;
  /** The terminal's image protocol; without one, a line of text replaces the image. */
  readonly protocol?: ImageProtocol;
  readonly cell?: CellSize;
  readonly maxColumns?: number;
  readonly maxRows?: number;
  /** The number a Kitty terminal knows it by; a random one if none is given. */
  readonly id?: number;
}

/** The size in most fonts, if the terminal does not report it. */
const usualCell: CellSize = { width: 9, height: 18 };
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Headers are near the beginning, but some cameras put a whole preview before that of a JPEG. */
const headerLength = 256 * 1024;
/** Larger ones would keep a terminal busy for seconds. */
const largestData = 12 * 1024 * 1024;

/** An image in cells of the terminal, as wide as there is room for; or a line of text about it. */
export class Image implements Component {
  readonly #options: ImageOptions;
  readonly #look: RenderStyle;
  readonly #header: ImageHeader | undefined;
  readonly #id: number;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(options: ImageOptions) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
    this.#header = base64.test(options.data) ? headerOf(options.data) : undefined;
    this.#id = options.id ?? 1 + Math.floor(Math.random() * 0xfffffffe);
  }

  render(width: number): readonly string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#draw(width) };
    return this.#kept.lines;
  }

  #draw(width: number): readonly string[] {
    const { data, protocol, cell = usualCell, maxColumns = 80, maxRows = 24 } = this.#options;
    const header = this.#header;
    if (!header || !protocol || !canShow(header, protocol) || data.length > largestData)
      return [this.#text(width)];
    const { columns, rows } = imageCells(header, {
      cell,
      columns: Math.min(width, maxColumns),
      rows: maxRows,
    });
    const room = Array.from({ length: rows }, () => '');
    return [...room, encodeImage({ data, columns, rows, id: this.#id }, protocol)];
  }

  #text(width: number): string {
    const { data, name } = this.#options;
    const header = this.#header;
    const kind = header?.type.slice('image/'.length).toUpperCase() ?? 'unknown format';
    const size = header ? ` ${header.width}x${header.height}` : '';
    const parts = [
      ...(name === undefined ? [] : [oneLine(name)]),
      kind + size,
      sizeText(decodedLength(data)),
    ];
    const text = truncateText(`[image: ${parts.join(', ')}]`, width, this.#look.glyphs.ellipsis);
    return this.#look.paint('muted', text);
  }
}

/** The cells that an image takes with its proportions kept: its own size, or less where there is less room. */
export function imageCells(
  image: { readonly width: number; readonly height: number },
  room: { readonly cell: CellSize; readonly columns: number; readonly rows: number },
): { readonly columns: number; readonly rows: number } {
  const { cell } = room;
  const scale = Math.min(
    1,
    (room.columns * cell.width) / image.width,
    (room.rows * cell.height) / image.height,
  );
  const cells = (pixels: number, size: number, most: number) =>
    Math.max(1, Math.min(most, Math.round((pixels * scale) / size)));
  return {
    columns: cells(image.width, cell.width, room.columns),
    rows: cells(image.height, cell.height, room.rows),
  };
}

/** The Kitty protocol takes only PNG as it is. */
function canShow(header: ImageHeader, protocol: ImageProtocol): boolean {
  return protocol === 'iterm2' || header.type === 'image/png';
}

function headerOf(data: string): ImageHeader | undefined {
  return readImageHeader(Buffer.from(data.slice(0, headerLength), 'base64'));
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
