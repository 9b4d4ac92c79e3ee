export type {
  AgentEvent,
  CreateSessionOptions,
  ICommandSource,
  ISlashCommand,
  ISpinner,
  ITerminalOutput,
  PermissionMode,
  QueryOptions,
  SessionOptions,
  TToolResult,
} from '@robota-sdk/agent-sdk';
export { noTerminalOutput as InkTerminal, query, Session } from '@robota-sdk/agent-sdk';
export { startCli } from './start-cli.ts';
