// A permission decision without a session: auto, approve or deny.
import { evaluatePermission } from '@robota-sdk/agent-core';

console.log(
  await evaluatePermission('Bash', { command: 'ls' }, 'default'),
  await evaluatePermission('Write', { file_path: 'a.txt', content: '' }, 'default'),
  await evaluatePermission('Write', { file_path: 'a.txt', content: '' }, 'plan'),
);
