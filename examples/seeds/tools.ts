// Built-in tools called directly, and a tool made of a function.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bashTool, FunctionTool, readTool, type TToolResult, writeTool } from '@robota-sdk/agent-tools';

const folder = await mkdtemp(join(tmpdir(), 'robota-tools-'));
const file_path = join(folder, 'a.txt');
await writeTool.execute({ file_path, content: 'one\n' });
const read: TToolResult = await readTool.execute({ file_path });
const shown = await bashTool.execute({ command: `cat ${file_path}; rm -r ${folder}` });

const parameters = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const greet = new FunctionTool<{ name: string }>(
  { name: 'greet', description: 'Greets', parameters },
  ({ name }) => `Hello, ${name}.`,
);
const greeting = await greet.execute({ name: 'you' });

for (const { content } of [read, shown, greeting])
  for (const block of content) if (block.type === 'text') console.log(block.text);
