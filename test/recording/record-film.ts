import { normalizeFrame } from './normalize-frame.ts';
import { frameEnd, replayFrames } from './replay-frames.ts';
import { type Frame, frameKey, frameText, type TimedFrame } from './screen-row.ts';
import type { RecordingSize } from './write-cast.ts';

/** The output of a program to its terminal, and the lengths of it at which a key was pressed. */
export interface TerminalLog extends RecordingSize {
  readonly raw: string;
  readonly marks: readonly number[];
}

/** Seconds that frames are shown: with a question, with something to read, with a command that runs, and all others. */
const seconds = { question: 3.4, moment: 2.6, command: 0.7, other: 0.07 } as const;

/** The frames of a log, from the first key to the last. Times are set here, so that films of equal screens are equal. */
export async function recordFilm(log: TerminalLog): Promise<readonly TimedFrame[]> {
  const shown = (await replayFrames(log.raw, log)).map(normalizeFrame);
  const ends = frameEnds(log.raw);
  const indexes = log.marks.map((mark) => ends.findLastIndex((end) => end <= mark));
  const isMoment = new Set(indexes);
  const [first = 0] = indexes;
  const last = indexes.at(-1) ?? -1;
  const frames: TimedFrame[] = [];
  for (let index = first; index <= last; index++) {
    const frame = shown[index];
    if (!frame) continue;
    const timed = { ...frame, seconds: timeOf(frame, isMoment.has(index)) };
    const before = frames.at(-1);
    if (before && frameKey(before) === frameKey(frame)) {
      frames[frames.length - 1] = before.seconds > timed.seconds ? before : timed;
    } else frames.push(timed);
  }
  return frames;
}

/** The lengths of the output at which frames were complete. */
function frameEnds(raw: string): readonly number[] {
  const ends: number[] = [];
  let at = 0;
  for (const painted of raw.split(frameEnd)) {
    at += painted.length + frameEnd.length;
    ends.push(at);
  }
  return ends;
}

function timeOf(frame: Frame, isMoment: boolean): number {
  const text = frameText(frame);
  if (isMoment) return /^❯ 1 {2}/m.test(text) ? seconds.question : seconds.moment;
  return /^ {2}⟳ \$ /m.test(text) ? seconds.command : seconds.other;
}
