import type { ThinkingLevel } from '@robota-sdk/agent-core';

/** The most tokens that a level is about, in the order of the levels. */
const reach: readonly (readonly [level: ThinkingLevel, tokens: number])[] = [
  ['off', 0],
  ['minimal', 1_024],
  ['low', 4_096],
  ['medium', 10_240],
  ['high', 20_480],
];

/** The level closest to a budget of thinking tokens. */
export function thinkingOfTokens(tokens: number): ThinkingLevel {
  return reach.find(([, most]) => tokens <= most)?.[0] ?? 'xhigh';
}

/** Other agents' names for levels of thinking. */
const efforts: Readonly<Record<string, ThinkingLevel>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
};

/** The level that another agent's effort means. */
export function thinkingOfEffort(effort: string): ThinkingLevel | undefined {
  return Object.hasOwn(efforts, effort) ? efforts[effort] : undefined;
}
