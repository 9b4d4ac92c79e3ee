// Iterated, a run is its events. Leaving the loop aborts it; `result` never rejects.
import { query } from '@robota-sdk/agent-sdk';

const run = query('Explain the build', { cwd: 'app', permissionMode: 'plan' });
for await (const event of run) {
  if (event.type === 'text-delta') process.stdout.write(event.text);
  if (event.type === 'tool-start') console.log(event.call.name, event.call.input);
}
const result = await run.result;
console.log(`\n${result.status} after ${result.turns} turns`);

for await (const text of query('Explain the tests', { cwd: 'app' }).textStream) process.stdout.write(text);
console.log();
