import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '@robota-sdk/agent-sdk/front-end';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { buildQuestion, interruptingQuestions, openTypingStage } from './fixtures/typing-stage.ts';

interface Recording {
  readonly typist: string;
  readonly texts: readonly string[];
  /** Milliseconds since the key before, and the key. */
  readonly strokes: readonly (readonly [number, string])[];
}

const file = join(import.meta.dirname, 'fixtures/typing.json');
const { recordings } = JSON.parse(readFileSync(file, 'utf8')) as { recordings: readonly Recording[] };
const questionOf = (index: number) =>
  interruptingQuestions[index % interruptingQuestions.length] ?? buildQuestion;
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Moment {
  readonly at: number;
  /** Milliseconds before that key. */
  readonly before: number;
  readonly question?: Question;
}

/** Replays keys on their clock; a question appears before one of them. */
async function replay(strokes: Recording['strokes'], { at, before, question = buildQuestion }: Moment) {
  const { clock, editor, sent, press, ask, answers } = openTypingStage();
  clock.time = 100_000;
  for (const [index, [pause, key]] of strokes.entries()) {
    clock.time += pause - (index === at ? before : 0);
    if (index === at) {
      ask(question);
      clock.time += before;
    }
    press(key);
  }
  await settle();
  return { sent: [...sent], draft: editor.text, answers };
}

describe('recorded typing', () => {
  it('has typists from 20 ms to 3 s a key, who correct themselves', () => {
    const pauses = recordings.flatMap(({ strokes }) => strokes.map(([pause]) => pause));
    expect([Math.min(...pauses), Math.max(...pauses)]).toEqual([20, 3_000]);
    expect(
      recordings.flatMap(({ strokes }) => strokes).filter(([, key]) => key === 'backspace').length,
    ).toBeGreaterThan(5);
  });

  it('approves nothing in 1,000 runs across the moment a question appears, and loses no character', async () => {
    proves('C-104');
    const moments = recordings.flatMap((recording) =>
      recording.strokes.flatMap((_, at) =>
        at === 0 ? [] : [0, 1 / 3, 0.9].map((part) => ({ recording, at, part })),
      ),
    );
    const runs = Array.from({ length: 1_000 }, (_, index) => moments[(index * 7_919) % moments.length]);
    let approvals = 0;
    const wrong: string[] = [];
    for (const [index, run] of runs.entries()) {
      if (!run) continue;
      const { recording, at, part } = run;
      const { strokes, texts, typist } = recording;
      const before = Math.floor((strokes[at]?.[0] ?? 0) * part);
      const { sent, draft, answers } = await replay(strokes, { at, before, question: questionOf(index) });
      approvals += answers.length;
      if ([...sent, draft].join('|') !== [...texts, ''].join('|')) wrong.push(`${typist}, key ${at}`);
    }
    expect(moments.length).toBeGreaterThan(1_000);
    expect({ approvals, wrong }).toEqual({ approvals: 0, wrong: [] });
  });

  it('leaves a text to the editor that follows one which was sent, wherever the question appears between them', async () => {
    proves('C-104');
    let runs = 0;
    for (const { strokes, texts } of recordings)
      for (const [index] of strokes.entries()) {
        if (index === 0 || strokes[index - 1]?.[1] !== 'enter') continue;
        for (const part of [0, 0.1, 0.5, 0.9, 1]) {
          const before = Math.floor((strokes[index]?.[0] ?? 0) * part);
          const question = questionOf(runs++);
          const { sent, draft, answers } = await replay(strokes, { at: index, before, question });
          expect({ sent, draft, answers }).toEqual({ sent: texts, draft: '', answers: [] });
        }
      }
    expect(runs).toBe(60);
  });
});
