/** Signs that fonts draw differently or not at all, as shapes in a cell of 10 by 20 units; strokes have the colour of the text. */
const shapes: Readonly<Record<string, { readonly id: string; readonly path: string }>> = {
  '✓': { id: 'check', path: 'M1.5 10.5 4.2 13.5 8.8 6.5' },
  '✗': { id: 'cross', path: 'M2 7 8 13.4M8 7 2 13.4' },
  '⊘': { id: 'denied', path: 'M1.2 10.2a3.8 3.8 0 1 0 7.6 0 3.8 3.8 0 1 0-7.6 0M2.4 12.8 7.6 7.6' },
  '⟳': { id: 'turning', path: 'M8.6 9.4A3.8 3.8 0 1 0 8 12.6M8.8 6.4V9.6H5.8' },
  '❯': { id: 'cursor', path: 'M3 6.4 7 10.2 3 14' },
  '▸': { id: 'marker', path: 'M3.4 7.4 7 10.2 3.4 13ZM4.4 9.2V11.2' },
  '◷': { id: 'clock', path: 'M1.2 10.2a3.8 3.8 0 1 0 7.6 0 3.8 3.8 0 1 0-7.6 0M5 7.8V10.4H7' },
};

const dot = '●';

/** The id of the shape of a sign; undefined if a font draws it. */
export function shapeOf(sign: string): string | undefined {
  return sign === dot ? 'dot' : shapes[sign]?.id;
}

/** The definitions of all shapes, for cells of this size in pixels. */
export function shapeDefinitions({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): string {
  const scale = `scale(${round(width / 10)} ${round(height / 20)})`;
  const strokes = Object.values(shapes).map(
    ({ id, path }) =>
      `<path id="${id}" transform="${scale}" d="${path}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`,
  );
  const x = round(width / 2);
  const y = round(height * 0.51);
  return `<circle id="dot" cx="${x}" cy="${y}" r="${round(width * 0.38)}" fill="currentColor"/>${strokes.join('')}`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
