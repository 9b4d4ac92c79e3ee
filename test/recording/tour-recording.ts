import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalizeFrame } from './normalize-frame.ts';
import { recordFilm, type TerminalLog } from './record-film.ts';
import { replayFrames } from './replay-frames.ts';
import { type Frame, frameKey, frameText, type TimedFrame } from './screen-row.ts';
import { castOf, outputOf, timesOf } from './write-cast.ts';
import { animatedSvg, stillSvg } from './write-svg.ts';

/** The size of the terminal in the recordings. */
export const recordingSize = { columns: 84, rows: 28 } as const;

/** True if recordings are made, and not only compared. */
export const isRecording = process.env['ROBOTA_RECORD'] === '1';

const media = join(import.meta.dirname, '../../docs/media');
const files = {
  cast: join(media, 'tour.cast'),
  film: join(media, 'tour.svg'),
  dark: join(media, 'screen-dark.svg'),
  light: join(media, 'screen-light.svg'),
} as const;

const title = 'robota demo';
/** A frame that is shown for at least so many seconds is one that the newcomer acts on. */
const momentSeconds = 2;
const stillPicture = (scheme: 'dark' | 'light') => ({
  ...recordingSize,
  scheme,
  title,
  description:
    'The tour of Robota in a terminal: a diff of one line, why it is asked about, and four answers to choose from.',
});
const film = {
  ...recordingSize,
  scheme: 'dark',
  title,
  description:
    'The tour of Robota: a test fails, an edit is allowed, a push is denied, a plan is approved and rewound, a session is resumed.',
} as const;

/** Writes the recording of the tour and the pictures made of it, unless the present ones show the same. */
export async function recordTour(log: TerminalLog): Promise<void> {
  if ((await missingMoments(log).catch(() => [''])).length > 0) {
    const frames = await recordFilm(log);
    await writeFile(files.cast, castOf(frames, { ...recordingSize, title }));
  }
  for (const [file, svg] of await pictures()) await writeFile(file, svg);
}

/** The screens of the recording, from its first to its last, that a newer tour did not show. */
export async function missingMoments({ raw, columns, rows }: TerminalLog): Promise<readonly string[]> {
  const shown = (await replayFrames(raw, { columns, rows })).map((frame) => frameKey(normalizeFrame(frame)));
  const recorded = await recordedFrames();
  let from = 0;
  return recorded
    .filter(({ seconds }) => seconds >= momentSeconds)
    .flatMap((frame) => {
      const at = shown.indexOf(frameKey(frame), from);
      if (at < 0) return [frameText(frame)];
      from = at;
      return [];
    });
}

/** The files that are made of the recording, and their content. */
export async function pictures(): Promise<readonly (readonly [file: string, svg: string])[]> {
  const frames = await recordedFrames();
  const stillAt = frames.findIndex(isStill);
  const still = frames[stillAt];
  if (!still) throw new Error('The recording has no frame for the picture of the screen.');
  return [
    [files.film, animatedSvg(frames, { ...film, stillAt })],
    [files.dark, stillSvg(withoutCursor(still), stillPicture('dark'))],
  ];
}

/** The picture of the screen in a light terminal, and those of the frames of a tour there. */
export async function lightPictures(log: TerminalLog): Promise<{
  readonly recorded: string;
  readonly shown: readonly string[];
}> {
  const dark = (await recordedFrames()).find(isStill);
  const frames = (await replayFrames(log.raw, log)).map(normalizeFrame);
  const shown = frames
    .filter((frame) => dark !== undefined && frameText(frame) === frameText(dark))
    .map((frame) => stillSvg(withoutCursor(frame), stillPicture('light')));
  const [first] = shown;
  if (isRecording && first !== undefined) await writeFile(files.light, first);
  return { recorded: await readFile(files.light, 'utf8'), shown };
}

async function recordedFrames(): Promise<readonly TimedFrame[]> {
  const cast = await readFile(files.cast, 'utf8');
  const times = timesOf(cast);
  const frames = await replayFrames(outputOf(cast), recordingSize);
  return times.flatMap((seconds, index) => {
    const frame = frames[index];
    return frame ? [{ ...frame, seconds }] : [];
  });
}

function isStill(frame: Frame): boolean {
  const text = frameText(frame);
  return text.includes('── Edit cart.js') && text.includes('❯ 1  Allow once');
}

function withoutCursor({ rows }: Frame): Frame {
  return { rows, cursor: undefined };
}
