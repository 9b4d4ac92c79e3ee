import { AgentError, describeMoney } from '@robota-sdk/agent-core';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { FleetCosts } from '../contract/client.ts';
import { withClient } from './with-client.ts';

/** `robota fleet cost`: what the fleet spent, by day and by model; its options set limits. */
export async function costCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  if (request.words[0] !== undefined)
    throw new AgentError('usage', `robota fleet cost takes no "${request.words[0]}". See --help.`);
  const total = limitIn(request, 'total');
  const daily = limitIn(request, 'daily');
  return withClient(request, console, async (client) => {
    if (total !== undefined || daily !== undefined) {
      const limits = { ...(total === undefined ? {} : { total }), ...(daily === undefined ? {} : { daily }) };
      await client.submit([{ type: 'budget', ...limits }]);
    }
    const costs = await client.costs();
    const text = request.has('json') ? JSON.stringify(costs) : describeCosts(costs).join('\n');
    await console.print(`${text}\n`);
    return exitCodes.done;
  });
}

/** A limit in US dollars, or null for none. */
function limitIn(request: FleetRequest, name: 'total' | 'daily'): number | null | undefined {
  const given = request.value(name);
  if (given === undefined) return undefined;
  if (given === 'none') return null;
  const limit = Number(given.replace(/^\$/, ''));
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new AgentError('usage', `--${name} needs an amount in US dollars, or none, not "${given}".`);
}

function describeCosts(costs: FleetCosts): readonly string[] {
  const of = (limit: number | undefined) => (limit === undefined ? '' : ` of ${describeMoney(limit)}`);
  const days = costs.byDay.map(
    ({ day, cost, tasks }) =>
      `  ${day}  ${describeMoney(cost).padStart(9)}  ${tasks} ${tasks === 1 ? 'task' : 'tasks'} ended`,
  );
  const models = costs.byModel.map(({ model, cost }) => `  ${describeMoney(cost).padStart(9)}  ${model}`);
  return [
    `Total     ${describeMoney(costs.total)}${of(costs.totalLimit)}`,
    `Today     ${describeMoney(costs.today)}${of(costs.dailyLimit)}`,
    ...(costs.reserved > 0 ? [`Reserved  ${describeMoney(costs.reserved)} for calls under way`] : []),
    ...(days.length > 0 ? ['', 'By day', ...days] : []),
    ...(models.length > 0 ? ['', 'By model', ...models] : []),
  ];
}
