export { query, Session } from '@robota-sdk/agent-sdk';
export { startCli } from './start-cli.ts';
