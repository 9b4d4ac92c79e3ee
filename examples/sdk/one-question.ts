// Awaited, a run is its answer.
import { query } from '@robota-sdk/agent-sdk';

console.log(await query('Which functions have no tests?', { cwd: 'app', permissionMode: 'plan' }));
