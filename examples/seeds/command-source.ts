// Commands of your own, as menus list them and sessions run them.
import {
  commandSourceExtension,
  createInteractiveSession,
  type ICommandSource,
  type ISlashCommand,
} from '@robota-sdk/agent-sdk/compat';

const greet: ISlashCommand = {
  name: 'greet',
  description: 'Greets',
  source: 'example',
  execute: (args: string): void => console.log(`Hello ${args}`),
  subcommands: [
    { name: 'loud', description: 'Shouts', execute: (args: string): void => console.log(`HELLO ${args}`) },
  ],
};
const source: ICommandSource = { name: 'example', getCommands: () => [greet] };

const extensions = [commandSourceExtension(source)];
const session = await createInteractiveSession({ cwd: process.cwd(), store: 'none', extensions });
console.log((await session.executeCommand('greet', 'you'))?.success);
console.log((await session.executeCommand('greet', 'loud you'))?.success);
await session.shutdown();
