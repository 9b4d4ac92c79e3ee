import {
  either,
  mapped,
  numberWithin,
  type Shape,
  type ThinkingLevel,
  thinkingLevels,
  words,
} from '@robota-sdk/agent-core';

/** How much a model thinks, in our terms or those of other agents: a word, or a number up to 100. */
export const effortShape: Shape<ThinkingLevel> = mapped(
  either(words(...thinkingLevels, 'max'), numberWithin({ minimum: 0 })),
  (effort) => (typeof effort === 'number' ? levelOf(effort) : effort === 'max' ? 'xhigh' : effort),
);

/** The limits at which Claude Code's agents change their level. */
function levelOf(effort: number): ThinkingLevel {
  if (effort <= 50) return 'low';
  if (effort <= 85) return 'medium';
  return effort <= 100 ? 'high' : 'xhigh';
}
