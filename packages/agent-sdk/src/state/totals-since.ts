import type { SessionTotals } from '@robota-sdk/agent-sessions';

/** The usage since the last count. */
export function totalsSince(totals: SessionTotals, before: SessionTotals): SessionTotals {
  const minus = (name: keyof SessionTotals['usage']) => (totals.usage[name] ?? 0) - (before.usage[name] ?? 0);
  const reasoning = minus('reasoning');
  return {
    usage: {
      input: minus('input'),
      output: minus('output'),
      cacheRead: minus('cacheRead'),
      cacheWrite: minus('cacheWrite'),
      ...(reasoning > 0 ? { reasoning } : {}),
    },
    cost: totals.cost - before.cost,
    modelCalls: totals.modelCalls - before.modelCalls,
  };
}
