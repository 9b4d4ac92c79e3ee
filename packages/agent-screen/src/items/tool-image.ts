import type { ToolItem } from '@robota-sdk/agent-sessions';
import { Image } from '@robota-sdk/agent-tui';
import type { ItemView } from './item-view.ts';

/** The most rows of an image among other lines. */
const imageRows = 16;

/** The rows of the image that a call gave, below its lines; none without one, or where the terminal shows none. */
export function toolImage({ display }: ToolItem, view: ItemView, columns: number): readonly string[] {
  const { look, images } = view;
  if (display?.kind !== 'image' || !images) return [];
  const { protocol, cell } = images;
  const { data } = display;
  const image = new Image({ data, look, protocol, maxRows: imageRows, ...(cell ? { cell } : {}) });
  return image.render(columns);
}
