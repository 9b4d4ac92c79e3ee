// One prompt, awaited; then one with options and streamed text.
import { query } from '@robota-sdk/agent-sdk';

const list: string = await query('Show me the file list');

const analysis: string = await query('Analyze the code', {
  cwd: '/path/to/project',
  permissionMode: 'acceptEdits',
  maxTurns: 10,
  onTextDelta: (delta) => process.stdout.write(delta),
});

console.log(`\n${list} ${analysis}`);
