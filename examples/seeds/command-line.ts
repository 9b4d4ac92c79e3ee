// The command line as a function.
import { query, Session, startCli } from '@robota-sdk/agent-cli';

console.log(typeof query, typeof Session, await startCli(['--version']));
