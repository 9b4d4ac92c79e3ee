// A session assembled from what the files of a directory say.
import { createSession, detectProject, loadConfig, loadContext } from '@robota-sdk/agent-sdk';
import { noTerminalOutput as terminal } from '@robota-sdk/agent-sdk/compat';

const cwd = process.cwd();
const permissionMode = 'acceptEdits';

const [config, context, projectInfo] = await Promise.all([
  loadConfig(cwd),
  loadContext(cwd),
  detectProject(cwd),
]);

const session = createSession({ config, context, terminal, projectInfo, permissionMode });
const response = await session.run('Hello');
console.log(response);
await session.close();
