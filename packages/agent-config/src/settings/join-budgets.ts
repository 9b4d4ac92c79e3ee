import { isJsonObject } from '@robota-sdk/agent-core';
import type { BudgetLimits } from '@robota-sdk/agent-sessions';
import type { SettingsLayer } from '../options/settings.ts';

/** The smallest limit that any layer sets counts, so that a repository can't raise what its user may spend. */
export function joinBudgets(layers: readonly SettingsLayer[]): BudgetLimits {
  const smallest = (scope: keyof BudgetLimits): BudgetLimits => {
    const limits = layers.flatMap(({ value }) => {
      const limit = isJsonObject(value.budget) ? value.budget[scope] : undefined;
      // A number in quotes has been accepted as one, so it must count as one.
      return limit === undefined || limit === null ? [] : Number(limit);
    });
    return limits.length === 0 ? {} : { [scope]: Math.min(...limits) };
  };
  return { ...smallest('turn'), ...smallest('session'), ...smallest('day') };
}
