import { mapped, type Shape, type ThinkingLevel, thinkingLevels, words } from '@robota-sdk/agent-core';

/** How much a model thinks, in our terms or those of other agents. */
export const effortShape: Shape<ThinkingLevel> = mapped(words(...thinkingLevels, 'max'), (effort) =>
  effort === 'max' ? 'xhigh' : effort,
);
