// With `output` the awaited value has the type of the schema: of zod, or of plain JSON Schema.
import { jsonSchema, query } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const report = await query('Run the tests and report', {
  cwd: 'app',
  output: z.object({ tests: z.number().int(), slowest: z.string() }),
});
console.log(report.tests + 1, report.slowest.toUpperCase());

const Count = jsonSchema<{ count: number }>({
  type: 'object',
  properties: { count: { type: 'integer' } },
  required: ['count'],
});
const { count } = await query('How many TODO comments are there?', { cwd: 'app', output: Count });
console.log(count.toFixed(0));
