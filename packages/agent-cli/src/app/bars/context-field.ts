import type { ContextState } from '@robota-sdk/agent-sdk';
import type { Look } from '@robota-sdk/agent-tui';
import { describeTokens } from '../items/describe-count.ts';

/** How full the window is, `ctx 45% (90K/200K)`: green, from 70 % yellow, from 90 % red. */
export function contextField({ usedTokens, maxTokens, usedPercentage }: ContextState, look: Look): string {
  const percent = Math.round(usedPercentage);
  const token = percent >= 90 ? 'error' : percent >= 70 ? 'warning' : 'success';
  const figures = `${describeTokens(usedTokens)}/${describeTokens(maxTokens)}`;
  return `${look.paint('dim', 'ctx')} ${look.paint(token, `${percent}%`)} ${look.paint('dim', `(${figures})`)}`;
}
