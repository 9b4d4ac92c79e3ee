// A tool of your own: its input is validated and typed. A `readOnly` tool needs no approval.
import { query, tool } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const clock = tool({
  name: 'Clock',
  description: 'Returns the year in a time zone.',
  input: z.object({ zone: z.string().describe('IANA name').default('UTC') }),
  readOnly: true,
  execute: ({ zone }) => new Date().toLocaleString('en', { timeZone: zone, year: 'numeric' }),
});

console.log(await query('Which year is it in Seoul?', { tools: [clock], builtInTools: false }));
