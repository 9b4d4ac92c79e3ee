import { createHash } from 'node:crypto';
import { type ToolCallContent, textOf } from '../message/content.ts';
import type { ToolMessage } from '../message/message.ts';

/** Number of recent turns compared; enough to detect two or three alternating calls. */
const windowTurns = 30;
const nudgeAt = 3;
const stopAt = 10;

/** `nudge`: tell the model; `stop`: end the run. */
export type ProgressVerdict = 'ok' | 'nudge' | 'stop';

/** Detects a model that repeats the same calls with the same results. */
export class ProgressGuard {
  #recent: string[] = [];

  /** Judges one turn's calls and results. */
  observe(calls: readonly ToolCallContent[], results: readonly ToolMessage[]): ProgressVerdict {
    const hash = createHash('sha1');
    for (const call of calls) hash.update(`${call.name}\0${JSON.stringify(call.input)}\0`);
    for (const result of results) hash.update(`${textOf(result.content)}\0`);
    const signature = hash.digest('base64');
    this.#recent = [...this.#recent.slice(1 - windowTurns), signature];
    const seen = this.#recent.filter((other) => other === signature).length;
    if (seen >= stopAt) return 'stop';
    return seen === nudgeAt ? 'nudge' : 'ok';
  }
}

export const nudgeText =
  'You have now made the same call several times and got the same result each time. Do something else, or finish and explain the obstacle.';
