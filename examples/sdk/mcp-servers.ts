// MCP servers: tools of the program, an instance of the official server, a command or a URL.
import { McpServer } from '@modelcontextprotocol/server';
import { query, tool } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const input = z.object({ a: z.number(), b: z.number() });
const add = tool({ name: 'add', description: 'Adds.', input, readOnly: true, execute: ({ a, b }) => a + b });

const instance = new McpServer({ name: 'own', version: '1.0.0' });
instance.registerTool(
  'greet',
  { description: 'Greets.', inputSchema: z.object({ name: z.string() }) },
  ({ name }) => ({
    content: [{ type: 'text', text: `Hello, ${name}.` }],
  }),
);

const mcpServers = { calc: { tools: [add] }, own: { instance } };
console.log(await query('What is 2 + 3?', { mcpServers, permissions: { allow: ['mcp__own'] } }));
