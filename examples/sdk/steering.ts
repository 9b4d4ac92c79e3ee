// A prompt given during a run waits for it. `steer` joins the run and resolves to whether it was taken.
import { createSession } from '@robota-sdk/agent-sdk';

await using session = createSession({ cwd: 'app', session: 'new', permissionMode: 'acceptEdits' });
const page = session.run('Add a login page');
const tests = session.run('Write tests for it', { maxTurns: 20 });

let steered: Promise<boolean> | undefined;
session.subscribe((event) => {
  if (event.type === 'tool-start') steered ??= page.steer('Use the existing form component.');
});
console.log(await page, '/', await tests);
console.log('steered', await steered);
