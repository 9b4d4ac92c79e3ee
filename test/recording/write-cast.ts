import type { Run, ScreenRow, TimedFrame } from './screen-row.ts';

export interface RecordingSize {
  readonly columns: number;
  readonly rows: number;
}

/** A recording as an asciicast of version 2: a header, then the changed rows of each frame. */
export function castOf(
  frames: readonly TimedFrame[],
  { columns, rows, title }: RecordingSize & { readonly title: string },
): string {
  const header = { version: 2, width: columns, height: rows, title, env: { TERM: 'xterm-256color' } };
  let time = 0;
  let before: readonly ScreenRow[] = [];
  const events = frames.map((frame) => {
    const event = [Number(time.toFixed(3)), 'o', paint(frame, before)];
    time += frame.seconds;
    before = frame.rows;
    return JSON.stringify(event);
  });
  // Players stop at the last event, so the last frame gets its time by an empty one.
  const end = JSON.stringify([Number(time.toFixed(3)), 'o', '']);
  return `${[JSON.stringify(header), ...events, end].join('\n')}\n`;
}

function paint({ rows, cursor }: TimedFrame, before: readonly ScreenRow[]): string {
  const changed = rows.flatMap((row, index) => {
    const old = before[index];
    if (old && JSON.stringify(old) === JSON.stringify(row)) return [];
    return [`\u001b[${index + 1};1H${row.map(paintRun).join('')}\u001b[K`];
  });
  const place = cursor ? `\u001b[${cursor.row + 1};${cursor.column + 1}H\u001b[?25h` : '';
  return `\u001b[?2026h\u001b[?25l${changed.join('')}${place}\u001b[?2026l`;
}

function paintRun(run: Run): string {
  const codes = [
    ...(run.isBold ? [1] : []),
    ...(run.isDim ? [2] : []),
    ...(run.isItalic ? [3] : []),
    ...(run.isUnderlined ? [4] : []),
    ...(run.isInverse ? [7] : []),
    ...(run.isStruck ? [9] : []),
    ...(run.colour === undefined ? [] : [38, 2, ...channels(run.colour)]),
    ...(run.ground === undefined ? [] : [48, 2, ...channels(run.ground)]),
  ];
  return codes.length === 0 ? run.text : `\u001b[${codes.join(';')}m${run.text}\u001b[0m`;
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** The output of a recording, as the terminal gets it. */
export function outputOf(cast: string): string {
  const [, ...events] = cast.trimEnd().split('\n');
  return events.map((line) => (JSON.parse(line) as readonly [number, string, string])[2]).join('');
}

/** The seconds that each frame of a recording is shown. */
export function timesOf(cast: string): readonly number[] {
  const [, ...events] = cast.trimEnd().split('\n');
  const starts = events.map((line) => (JSON.parse(line) as readonly [number])[0]);
  return starts.slice(1).map((start, index) => Number((start - (starts[index] ?? 0)).toFixed(3)));
}
