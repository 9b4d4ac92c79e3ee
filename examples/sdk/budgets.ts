// A limit in US dollars for each lifetime: a day, a session, a run.
import { Robota } from '@robota-sdk/agent-sdk';

await using robota = new Robota({ dailyBudget: 20 });
await using session = robota.createSession({ cwd: 'app', budget: 5 });
const { status, cost, usage, models } = await session.run('Port the tests to vitest', { maxCost: 1 }).result;
console.log(status, cost > 0, usage.output > 0, Object.keys(models).length, session.spent.cost === cost);
